import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The end of the built tool after signals and errors: its messages, and the files that it leaves.
struct `The end of the built tool` {
  /// Slow: starts the tool for each command.
  @Test(arguments: [
    "list", "check --sketch camera-upload", "run steady --engine virtual --quiet", "--help",
    "limit steady --vary workloads.scroll.steps.0.cpu='1..2 ms' --quiet",
    "report $out/summary.csv", "import $out/frames.csv --quiet",
    "compare $out/summary.csv $out/summary.csv", "doctor",
  ])
  func `is quiet if the output is closed`(_ command: String) throws {
    let scratch = try Scratch()
    let run = try BuiltTool(
      """
      out=\(scratch.path("out"))
      $tool run steady --engine virtual --quiet -o $out --frames \(scratch.path("frames.csv")) >/dev/null
      mv \(scratch.path("frames.csv")) $out
      # Nobody reads when writing fails.
      gone() ( trap '' PIPE; while printf . 2>/dev/null; do sleep 0.02; done )
      { gone; $tool \(command.replacing(" --quiet", with: "")) 2> \(scratch.path("said"));
        echo $? > \(scratch.path("status")); } | true
      """)
    #expect(run.diagnostics == "")
    #expect(["141\n", "64\n"].contains(scratch.text("status")), "\(scratch.text("said") ?? "")")
    #expect(scratch.text("said")?.contains("cannot write") == false)
  }

  @Test func `does not come with a hang-up that was ignored at the start`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let run = try BuiltTool(
      """
      trap '' HUP
      $tool run \(scratch.path("s.yaml")) --format csv -o \(scratch.path("out")) &
      while [ ! -e \(scratch.path("out/summary.csv.partial")) ] && kill -0 $!; do sleep 0.02; done
      sleep 0.3; kill -HUP $!; wait $!
      """)
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test(arguments: [("INT", Int32(130)), ("TERM", 143), ("HUP", 129), ("QUIT", 131), ("USR1", 138)])
  func `leaves nothing of a folder that is not finished`(_ signal: String, _ status: Int32) throws {
    let scratch = try Scratch()
    let run = try BuiltTool(
      """
      # With job control nothing is ignored in what is started in the background.
      set -m; cd \(scratch.root); $tool make-files photos --count 100000 --size "10 kB" &
      while ! ls .photos.*/photo-000009.jpeg 2>/dev/null >&2 && kill -0 $!; do sleep 0.02; done
      kill -\(signal) $!; wait $!
      """)
    #expect(run.status == status)
    #expect(scratch.names() == [])
  }

  @Test(arguments: [
    ("import-folder --strategy main-thread", "USR1"),
    ("steady --strategy job-queue:kept=20:persister=file", "USR1"),
    ("import-folder --strategy main-thread", ""),
    ("steady --strategy job-queue:kept=20:persister=file", ""),
  ])
  func `leaves nothing among the temporary files`(_ run: String, _ signal: String) throws {
    let scratch = try Scratch()
    let duration = signal.isEmpty ? "300 ms" : "60 s"
    // Names can be seen only until the signal, which the run of 300 ms does not wait for; the folder's time stays.
    _ = try BuiltTool(
      """
      set -m; cd \(scratch.root); mkdir tmp
      $tool make-files photos --count 3 --size "1 kB" >/dev/null
      touch -d @0 tmp
      TMPDIR=$PWD/tmp $tool run \(run) --duration "\(duration)" --quiet &
      if [ -n "\(signal)" ]; then
        while [ -z "$(ls -A tmp)" ] && kill -0 $!; do sleep 0.02; done; ls -A tmp > seen
        sleep 0.3; kill -\(signal) $!
      fi
      wait $!; stat -c %Y tmp > time
      """)
    #expect(signal.isEmpty || scratch.text("seen")?.hasPrefix("framebudget-") == true)
    #expect(scratch.text("time") != "0\n", "nothing was among them")
    #expect(scratch.names(in: "tmp") == [])
  }

  private static let noResult = "framebudget: interrupted; there is no result\n"

  /// Waits until `$tool` catches interruptions: a shell starts programs in the background so that they ignore them.
  private static let untilCaught = """
    while [ -e /proc/$tool ] && ! grep -q '^SigCgt:.*[2367abef]$' /proc/$tool/status; do
      sleep 0.02; done
    """

  @Test(arguments: [
    ("import -", "INT", Int32(130)), ("check -", "TERM", 143), ("report /dev/stdin", "HUP", 129),
    ("compare /dev/stdin /dev/stdin", "INT", 130),
  ])
  func `comes even while it waits for input`(
    _ command: String, _ signal: String, _ status: Int32
  ) throws {
    let run = try BuiltTool(
      """
      exec 5< <(exec sleep \(Int(patience))); sleeper=$!
      $tool \(command) <&5 & tool=$!
      \(Self.untilCaught)
      sleep 0.5
      while [ -e /proc/$tool ] && ! grep -q '^State:.S' /proc/$tool/status; do sleep 0.02; done
      kill -\(signal) $tool; wait $tool; status=$?
      kill -KILL $sleeper; exit $status
      """)
    #expect(run.status == status)
    #expect(run.diagnostics == Self.noResult)
  }

  @Test func `comes even while it reads endless input`() throws {
    let run = try BuiltTool(
      """
      exec 5< <(echo fps,frametime,elapsed; exec yes 60,16,0); writer=$!
      $tool import - <&5 & tool=$!
      \(Self.untilCaught)
      sleep 0.5; kill -INT $tool; wait $tool; status=$?
      kill -KILL $writer; exit $status
      """)
    #expect(run.status == 130)
    #expect(run.diagnostics == Self.noResult)
  }

  @Test func `comes with the second signal if the first did not end it`() throws {
    let scratch = try Scratch()
    // A step of a minute, which the run's end waits for. Nothing before it takes a second of processor time.
    try scratch.write(
      ShortScenario.text.replacing("cpu: 2 ms", with: "cpu: 60 s"), to: "s.yaml")
    let run = try BuiltTool(
      """
      $tool run \(scratch.path("s.yaml")) --strategy main-thread -o \(scratch.path("out")) \
        --frames \(scratch.path("out/f.csv")) &
      tool=$!
      while [ ! -e \(scratch.path("out/summary.csv.partial")) ] && kill -0 $tool; do sleep 0.02; done
      ticks() { local words; read -ra words < /proc/$tool/stat; echo $((words[13] + words[14])); }
      begin=$(ticks)
      while [ $(($(ticks) - begin)) -lt $(getconf CLK_TCK) ] && kill -0 $tool; do sleep 0.02; done
      kill -INT $tool
      # Two that are pending would be one.
      while grep -q '^ShdPnd:.*[2367abef]$' /proc/$tool/status; do sleep 0.02; done
      kill -INT $tool; wait $tool
      """)
    #expect(run.status == 130)
    #expect(scratch.names(in: "out") == [])
  }

  @Test func `on a full disk leaves whole rows, which do not look like a whole result`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let run = try BuiltTool(
      """
      ulimit -f 8
      $tool run \(scratch.path("s.yaml")) --engine virtual --repeat 40 --quiet \
        -o \(scratch.path("out")) > \(scratch.path("table"))
      """)
    #expect(run.status == 74)
    #expect(run.diagnostics.contains("cannot write"))
    #expect(scratch.names(in: "out") == ["summary.csv.partial"])
    let text = scratch.text("out/summary.csv.partial") ?? ""
    let lines = text.split(separator: "\n")
    #expect(lines.count > 2)
    #expect(Set(lines.map { $0.count { $0 == "," } }).count == 1)
    #expect(text.hasSuffix("\n"))
    let report = try BuiltTool("$tool report \(scratch.path("out"))")
    #expect(report.status == 65)
    #expect(report.diagnostics.contains("unfinished"))
  }

  @Test func `on a disk that is full from the start leaves nothing`() throws {
    let scratch = try Scratch()
    for flag in ["-o", "--frames", "--trace"] {
      let run = try BuiltTool(
        "ulimit -f 1; $tool run three-files --engine virtual --quiet \(flag) \(scratch.path(flag))")
      #expect(run.status == 74)
    }
    #expect(scratch.names() == ["-o"])
    #expect(scratch.names(in: "-o") == [])
  }

  @Test(arguments: [
    "-o $d/out --frames $d/out/summary.csv", "-o $d/out --trace $d/out/./run.json",
    "--frames $d/x --trace $d//x",
  ])
  func `comes before the run if two outputs name the same file`(_ flags: String) throws {
    let scratch = try Scratch()
    let run = try BuiltTool("d=\(scratch.root); $tool run steady --engine virtual \(flags)")
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.diagnostics.contains("writes that file too"))
    #expect(scratch.names() == [])
  }

  @Test(arguments: ["bench -o $no/costs.json", "report x.csv -o $no/page.html"])
  func `comes before the work if the output cannot be written`(_ command: String) throws {
    let run = try BuiltTool("no=\(Scratch.nowhere); $tool \(command)")
    #expect(run.status == 73)
    #expect(run.output == "")
    #expect(run.diagnostics.contains("cannot create \(Scratch.nowhere)/"))
  }

  @Test func `comes at once for a named pipe, but not for a pipe with a writer`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let pipe = scratch.path("pipe")
    let run = try BuiltTool("mkfifo \(pipe); $tool check \(pipe)")
    #expect(run.status == 66)
    #expect(run.diagnostics.contains("it is a named pipe"))
    #expect(try BuiltTool("mkfifo \(pipe)-2; $tool report \(pipe)-2").status == 66)
    let good = try BuiltTool("$tool check <(cat \(scratch.path("s.yaml")))")
    #expect(good.status == 0)
    #expect(good.output.contains("ok: 60 Hz"))
  }
}
