"""Runs the steps of action.yml from a clean checkout, with events as GitHub writes them, against a server on this machine.
FRAMEBUDGET names the program."""
import hashlib
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import threading
import time
import unittest

try:
    import yaml
except ImportError:
    yaml = None

PROGRAM = os.environ["FRAMEBUDGET"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKEN = "ghs_0123456789secret"
SCENARIO = """scenario: app
display: {{refresh: 60 Hz, render: {render}}}
duration: 1 s
seed: {seed}
services: {{files: {{}}}}
workloads:
  - name: add-file
    arrival: {{every: 20 ms}}
    steps: [{{service: files, cpu: {cpu}}}]
strategies: ["{strategy}"]
"""


class Server(http.server.ThreadingHTTPServer):
    """GitHub's comments of one pull request."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments, self.requests, self.forbids = [], [], False
        # The user of a personal token; the token of a workflow has none.
        self.user = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def add(self, body, kind="Bot", user=41):
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": {"type": kind, "id": user}})
        return self.comments[-1]


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, content, status=200):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        content = json.loads(self.rfile.read(length)) if length else None
        self.server.requests.append((self.command, self.path, content))
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return self.answer({"message": "Bad credentials"}, 401)
        if self.path == "/user":
            return self.answer({"id": self.server.user}) if self.server.user else self.answer({}, 403)
        if self.command == "GET":
            page = int(re.search(r"[?&]page=(\d+)", self.path)[1])
            return self.answer(self.server.comments[100 * (page - 1):100 * page])
        if self.server.forbids:
            return self.answer({"message": "Resource not accessible by integration"}, 403)
        if self.command == "POST":
            user = self.server.user
            return self.answer(self.server.add(content["body"], *(("User", user) if user else ())), 201)
        number = int(self.path.rsplit("/", 1)[1])
        self.server.comments[number - 1]["body"] = content["body"]
        return self.answer(self.server.comments[number - 1])

    do_GET = do_POST = do_PATCH = handle_request

    def log_message(self, *_):
        pass


class ActionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.checkout = self.path("checkout")
        self.copy_project()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def copy_project(self):
        """The files of the action as a checkout has them: those that git knows or would add."""
        named = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "action.yml", "scripts"], cwd=ROOT,
                               capture_output=True, text=True)
        if named.returncode != 0:
            self.skipTest("the project is not in a git repository")
        for name in named.stdout.split():
            os.makedirs(os.path.dirname(os.path.join(self.checkout, name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.checkout, name))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def scenario(self, render="8 ms", cpu="1 ms", seed=1, strategy="main-thread"):
        self.write("app.yaml", SCENARIO.format(render=render, cpu=cpu, seed=seed, strategy=strategy))

    def environment(self, event, **inputs):
        self.write("event.json", json.dumps(event))
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "FRAMEBUDGET"))}
        return kept | {
            "GITHUB_EVENT_PATH": self.path("event.json"), "GITHUB_API_URL": f"http://127.0.0.1:{self.server.server_port}",
            "GITHUB_REPOSITORY": "someone/app", "GITHUB_RUN_ID": "77", "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_STEP_SUMMARY": self.path("summary.md"), "GITHUB_OUTPUT": self.path("output"), "GITHUB_TOKEN": TOKEN,
            "FRAMEBUDGET_PROGRAM": PROGRAM, "FRAMEBUDGET_SCENARIO": "app.yaml",
            "FRAMEBUDGET_ARGUMENTS": "--engine virtual --no-range",
        } | {f"FRAMEBUDGET_{name.upper()}": value for name, value in inputs.items()}

    def clean(self):
        shutil.rmtree(self.path("frame-budget-results"), ignore_errors=True)
        for name in ("frame-budget.html", "summary.md", "output"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))

    def gate(self, event=None, **inputs):
        """The exit status and the log of the step, in a workspace without results and page."""
        self.clean()
        done = subprocess.run(
            [os.path.join(self.checkout, "scripts", "action"), "gate"], cwd=self.folder, text=True,
            env=self.environment({"pull_request": {"number": 5}} if event is None else event, **inputs),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertNotIn(TOKEN, done.stdout)
        return done.returncode, done.stdout

    def baseline(self, **inputs):
        """Runs the base branch, whose results become the baseline as the last steps of action.yml say."""
        status, log = self.gate({"ref": "refs/heads/main"}, **inputs)
        self.assertEqual(status, 0, log)
        self.assertIn("complete=true", self.read("output"))
        shutil.rmtree(self.path("frame-budget-baseline"), ignore_errors=True)
        shutil.copytree(self.path("frame-budget-results"), self.path("frame-budget-baseline"))

    @property
    def comment(self):
        """The only comment, which is also the summary."""
        self.assertEqual(len(self.server.comments), 1)
        body = self.server.comments[0]["body"]
        self.assertEqual(body, self.read("summary.md"))
        self.assertTrue(body.startswith("<!-- framebudget-action "), body)
        return body

    # MARK: What the comment says

    def test_a_worse_change_fails_and_is_explained(self):
        self.scenario()
        self.baseline()
        self.scenario(cpu="9 ms")
        status, log = self.gate()
        self.assertEqual(status, 1, log)
        for part in ("**Regression: ", "| dropped_frames_pct * |", "worse", "/someone/app/actions/runs/77"):
            self.assertIn(part, self.comment)
        # Explained by the difference of the scenarios, not by the new one alone.
        self.assertRegex(self.comment, r"baseline/scenario.yaml drops 0 frames,\s.*(\d+) of \1 because of service files")
        self.assertRegex(log, r"(?m)^::error title=app.*dropped_frames_pct is worse")
        self.assertIn("status=1", self.read("output"))
        self.assertTrue(self.read("frame-budget.html").startswith("<!DOCTYPE html>"))

    def test_a_better_change_passes(self):
        self.scenario(cpu="9 ms")
        self.baseline()
        self.scenario()
        status, log = self.gate()
        self.assertEqual(status, 0, log)
        self.assertIn("**No regression, and better: ", self.comment)

    def test_an_unchanged_app_passes_and_the_comment_is_rewritten(self):
        self.scenario()
        self.baseline()
        self.scenario(cpu="9 ms")
        self.assertEqual(self.gate()[0], 1)
        self.scenario()
        self.assertEqual(self.gate()[0], 0)
        self.assertIn("**No regression: all", self.comment)
        self.assertEqual([method for method, _, _ in self.server.requests if method != "GET"], ["POST", "PATCH"])

    def test_a_missing_baseline_is_told_and_fails_where_it_is_expected(self):
        self.scenario()
        status, log = self.gate()
        self.assertEqual(status, 66, log)
        self.assertIn("**No baseline:** there are no results of the base branch", self.comment)
        self.assertIn("::error title=framebudget::No baseline", log)
        status, log = self.gate(expect_baseline="false")
        self.assertEqual(status, 0, log)
        self.assertIn("**No baseline:**", self.comment)
        self.assertIn("::warning title=framebudget::No baseline", log)
        self.assertTrue(os.path.exists(self.path("frame-budget.html")))

    def test_a_noisy_comparison_is_undecided(self):
        self.scenario(cpu="{exponential: {mean: 4 ms}}", render="11 ms")
        self.baseline()
        self.scenario(cpu="{exponential: {mean: 4 ms}}", render="11 ms", seed=2)
        status, log = self.gate()
        self.assertEqual(status, 2, log)
        for part in ("**Inconclusive: ", "too few runs", "too few repetitions"):
            self.assertIn(part, self.comment)
        self.assertRegex(log, r"(?m)^::warning title=app")
        status, log = self.gate(fail_undecided="false")
        self.assertEqual(status, 0, log)
        self.assertIn("Nothing is decided", self.comment)
        self.assertIn("**Inconclusive: ", self.comment)

    # Slow: waits until a run of threads has begun.
    def test_an_interrupted_run_has_no_verdict(self):
        self.scenario()
        self.baseline()
        self.write("app.yaml", self.read("app.yaml").replace("duration: 1 s", "duration: 60 s"))
        self.clean()
        started = subprocess.Popen(
            [os.path.join(self.checkout, "scripts", "action"), "gate"], cwd=self.folder, text=True,
            env=self.environment({"pull_request": {"number": 5}}, arguments="--engine real"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # The folder of the results is prepared before the first frame.
        while not os.path.exists(self.path("frame-budget-results")):
            self.assertIsNone(started.poll())
            time.sleep(0.05)
        time.sleep(1)
        started.send_signal(signal.SIGINT)
        log = started.communicate(timeout=300)[0]
        self.assertEqual(started.returncode, 130, log)
        self.assertIn("**Interrupted:** the run was ended before it was complete", self.comment)
        self.assertIn("::error title=framebudget::Interrupted", log)
        self.assertNotIn("No regression", self.comment)

    def test_missed_expectations_fail_even_if_nothing_got_worse(self):
        self.scenario(cpu="9 ms")
        self.baseline()
        with open(self.path("app.yaml"), "a", encoding="utf-8") as file:
            file.write("expect: {virtual: {main-thread: {dropped_frames: {max: 0}}}}\n")
        status, log = self.gate()
        self.assertEqual(status, 1, log)
        for part in ("**Expectations of the scenario are missed:**", "expectation failed: main-thread", "**No regression"):
            self.assertIn(part, self.comment)

    def test_a_broken_scenario_is_shown(self):
        self.write("app.yaml", "scenario: app\ndisplay: {refresh: 60 Hz, rendr: 1 ms}\n")
        status, log = self.gate()
        self.assertEqual(status, 65, log)
        self.assertIn("'rendr'", self.comment)
        self.assertNotIn("complete=true", self.read("output") if os.path.exists(self.path("output")) else "")

    # MARK: Names from outside, and tokens

    def test_names_can_neither_break_the_comment_nor_command_the_log(self):
        # The program refuses this name, and shows the line with it.
        name = "a|b ``` <img src=x> @someone ::error::owned"
        self.scenario(strategy=f"main-thread\n```\n::error::owned\n{name}")
        status, log = self.gate(expect_baseline="false")
        self.assertEqual(status, 65, log)
        self.assertIn(name, self.comment)
        lines, open_until = [], None
        for line in log.splitlines():
            if line.startswith("::stop-commands::"):
                open_until = f"::{line.removeprefix('::stop-commands::')}::"
            elif open_until is None:
                lines.append(line)
            elif line == open_until:
                open_until = None
        self.assertIsNone(open_until)
        self.assertNotIn("::error::owned", "\n".join(lines))
        text = re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", self.comment)
        for part in ("<img", "@someone", "::error"):
            self.assertNotIn(part, text, log)

    def test_only_the_comment_of_a_bot_is_rewritten(self):
        self.scenario()
        self.baseline()
        self.gate()
        marker = self.server.comments[0]["body"].splitlines()[0]
        self.server.comments[:] = []
        for place in range(150):
            self.server.add(f"{marker}\nI copied this" if place == 3 else "another", kind="User")
        self.gate()
        self.gate()
        self.assertEqual(len(self.server.comments), 151)
        self.assertTrue(self.server.comments[3]["body"].endswith("I copied this"))

    def test_a_personal_token_rewrites_its_own_comment(self):
        self.scenario()
        self.baseline()
        self.server.user = 7
        self.gate()
        marker = self.server.comments[0]["body"].splitlines()[0]
        self.server.comments.insert(0, {"id": 2, "body": f"{marker}\nanother's", "user": {"type": "User", "id": 8}})
        self.server.comments[1]["id"], self.server.comments[0]["id"] = 2, 1
        for _ in range(2):
            self.assertEqual(self.gate()[0], 0)
        self.assertEqual(len(self.server.comments), 2)
        self.assertTrue(self.server.comments[0]["body"].endswith("another's"))
        self.assertEqual([method for method, _, _ in self.server.requests].count("POST"), 1)

    def test_a_token_without_the_right_to_comment_is_no_failure(self):
        self.scenario()
        self.baseline()
        self.server.forbids = True
        status, log = self.gate()
        self.assertEqual(status, 0, log)
        self.assertIn("The comment was not written (status 403)", log)
        self.assertIn("No regression", self.read("summary.md"))

    def test_a_push_writes_no_comment(self):
        self.scenario()
        self.baseline()
        self.assertEqual(self.server.requests, [])
        self.assertIn("**No baseline:**", self.read("summary.md"))

    # MARK: Installing

    def archive(self):
        os.makedirs(self.path("stage", "usr", "bin"))
        os.symlink(PROGRAM, self.path("stage", "usr", "bin", "framebudget"))
        with tarfile.open(self.path("tool.tar"), "w", dereference=True) as archive:
            archive.add(self.path("stage", "usr"), "usr")
        with open(self.path("tool.tar"), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def install(self, **inputs):
        return subprocess.run(
            [os.path.join(self.checkout, "scripts", "action"), "install"], cwd=self.folder, text=True, capture_output=True,
            env=self.environment({}, **inputs) | {"GITHUB_PATH": self.path("path")})

    def test_an_archive_is_installed_only_if_its_checksum_is_right(self):
        checksum = self.archive()
        wrong = self.install(archive="tool.tar", sha256="0" * 64)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("checksum is " + checksum, wrong.stdout)
        self.assertFalse(os.path.exists(self.path("path")))
        self.assertEqual(self.install(archive="tool.tar").returncode, 64)
        done = self.install(archive="tool.tar", sha256=checksum)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        program = os.path.join(self.read("path").strip(), "framebudget")
        found = subprocess.run([program, "--version"], capture_output=True, text=True)
        self.assertRegex(found.stdout, r"^\d+\.\d+")

    # MARK: action.yml

    @unittest.skipUnless(yaml, "needs python3-yaml")
    def test_results_are_kept_and_expected_as_the_event_says(self):
        self.scenario()
        job = Job(self)
        pull_request = {"pull_request": {"number": 5}}
        changes = {
            "pull_request": (pull_request, "main", "5/merge"), "pull_request_target": (pull_request, "main", "main"),
            "merge_group": ({"merge_group": {"base_ref": "refs/heads/main"}}, "", "gh-readonly-queue/main/pr-5-0123"),
        }
        for name, (event, base, ref) in changes.items():
            self.assertEqual(job.use(name, event, base, ref), 66, name)
            self.assertEqual(job.cache, {}, name)
        for name in ("push", "schedule", "workflow_dispatch"):
            job.cache.clear()
            self.assertEqual(job.use(name, {"ref": "refs/heads/main"}, "", "main"), 0, name)
            self.assertEqual(len(job.cache), 1, name)
        # A branch whose name begins like the other's has its own.
        self.assertEqual(job.use("pull_request", pull_request, "mai", "5/merge"), 66)
        for cpu, expected in (("1 ms", 0), ("9 ms", 1)):
            self.scenario(cpu=cpu)
            for name, (event, base, ref) in changes.items():
                self.assertEqual(job.use(name, event, base, ref), expected, name)
                self.assertEqual(len(job.cache), 1, name)
        self.assertEqual(len(job.artifacts["frame budget"]), job.runs)

    @unittest.skipUnless(yaml, "needs python3-yaml")
    def test_two_uses_in_one_job_do_not_meet(self):
        job = Job(self)
        for cpu in ("1 ms", "9 ms"):
            self.scenario(cpu=cpu)
            self.assertEqual(job.use("push", {}, "", "main", name=f"for {cpu}, always"), 0)
        self.assertEqual(len(job.cache), 2)
        event = {"pull_request": {"number": 5}}
        for name, expected in (("for 1 ms, always", 1), ("for 9 ms, always", 0), ("another", 66)):
            self.assertEqual(job.use("pull_request", event, "main", "5/merge", name=name), expected, name)

    @unittest.skipUnless(yaml, "needs python3-yaml")
    def test_the_action_passes_each_input_to_the_script(self):
        with open(os.path.join(self.checkout, "action.yml"), encoding="utf-8") as file:
            text = file.read()
        action = yaml.safe_load(text)
        steps = action["runs"]["steps"]
        self.assertEqual(action["runs"]["using"], "composite")
        with open(os.path.join(self.checkout, "scripts", "action"), encoding="utf-8") as file:
            script = file.read()
        settings = script[script.index("class Settings"):script.index("def read")]
        known = set(re.findall(r"(?m)^    (\w+): (?:str|bool) = ", settings))
        passed = {name.removeprefix("FRAMEBUDGET_").lower() for step in steps for name in step.get("env", {})
                  if name.startswith("FRAMEBUDGET_")}
        self.assertEqual(passed - known, set())
        # The program is on the path after the first step.
        self.assertEqual(known - passed, {"program"})
        for name, value in action["inputs"].items():
            self.assertIn("${{ inputs.%s }}" % name, text)
            # An input without a default is required; defaults of the script and of the action agree.
            self.assertTrue(value.get("required") or "default" in value, name)
            default = re.search(rf"(?m)^    {name.replace('-', '_')}: \w+ = (.*)$", settings)
            if default and name != "scenario":
                self.assertEqual(str(default[1]).strip('"').lower(), value["default"], name)
        for step in steps:
            # A value of an expression in a command line could command the shell.
            self.assertNotIn("${{", step.get("run", ""))
            self.assertTrue("uses" in step or step.get("shell") == "bash")


class Job:
    """Performs the steps of action.yml in one workspace, as a runner does; the caches and artifacts of other actions are kept here."""

    def __init__(self, test):
        self.test = test
        self.checksum = test.archive()
        self.cache, self.artifacts, self.runs = {}, {}, 0
        with open(os.path.join(test.checkout, "action.yml"), encoding="utf-8") as file:
            self.action = yaml.safe_load(file)

    def use(self, event_name, event, base_ref, ref_name, **inputs):
        """The exit status of the gate."""
        self.runs += 1
        self.values = {f"inputs.{name}": value.get("default", "") for name, value in self.action["inputs"].items()}
        given = {"scenario": "app.yaml", "arguments": "--engine virtual --no-range", "archive": self.test.path("tool.tar"),
                 "sha256": self.checksum, "token": TOKEN} | inputs
        self.values |= {f"inputs.{name}": value for name, value in given.items()}
        self.values |= {
            "runner.temp": self.test.path("temp"), "github.event_name": event_name, "github.base_ref": base_ref,
            "github.ref_name": ref_name, "github.sha": f"sha{self.runs}"}
        environment = self.test.environment(event) | {
            "GITHUB_ACTION_PATH": self.test.checkout, "GITHUB_EVENT_NAME": event_name, "GITHUB_BASE_REF": base_ref,
            "GITHUB_REF_NAME": ref_name, "GITHUB_PATH": self.test.path("path")}
        kept = {name: value for name, value in environment.items() if not name.startswith("FRAMEBUDGET_")}
        status = {}
        for step in self.action["runs"]["steps"]:
            if (any(status.values()) and "always()" not in step.get("if", "")) or not self.holds(step.get("if", "always()")):
                continue
            if "run" in step:
                status[step.get("id")] = self.run(step, dict(kept))
            else:
                self.perform(step["uses"], {name: self.expand(value) for name, value in step["with"].items()})
        self.test.assertEqual(status["install"], 0, self.log)
        return status["gate"]

    def run(self, step, environment):
        output = self.test.path("step-output")
        open(output, "w", encoding="utf-8").close()
        if os.path.exists(self.test.path("path")):
            environment["PATH"] = f"{self.test.read('path').split()[-1]}:{environment['PATH']}"
        environment |= {name: self.expand(value) for name, value in step.get("env", {}).items()} | {"GITHUB_OUTPUT": output}
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.test.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.log = done.stdout
        for line in self.test.read("step-output").splitlines():
            name, value = line.split("=", 1)
            self.values[f"steps.{step.get('id')}.outputs.{name}"] = value
        return done.returncode

    def perform(self, action, given):
        path, kept = self.test.path(given["path"]), self.test.path("kept", str(self.runs))
        if action.startswith("actions/cache/restore@"):
            keys = [key for key in self.cache if key == given["key"]]
            keys += [key for key in reversed(self.cache) if key.startswith(given["restore-keys"])]
            if keys:
                shutil.copytree(self.cache[keys[0]], path)
        elif action.startswith("actions/cache/save@"):
            # A cache is never overwritten; its key has no comma.
            self.test.assertNotIn(",", given["key"])
            if given["key"] not in self.cache:
                self.cache[given["key"]] = shutil.copytree(path, kept)
        else:
            self.test.assertTrue(action.startswith("actions/upload-artifact@"), action)
            with open(path, encoding="utf-8") as file:
                self.artifacts.setdefault(given["name"], []).append(file.read())

    def expand(self, text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: self.value(found[1]), str(text))

    def value(self, expression):
        """The first of several values that is not empty."""
        return next((value for value in (self.values.get(name, "") for name in expression.split(" || ")) if value), "")

    def holds(self, condition):
        for part in condition.split(" && "):
            found = re.fullmatch(r"(\S+) ([!=])= '(.*)'", part)
            if part != "always()" and (self.values.get(found[1], "") == found[3]) != (found[2] == "="):
                return False
        return True


@unittest.skipUnless(yaml, "needs python3-yaml")
class GitLabTest(unittest.TestCase):
    """The scripts of the template for GitLab, in the order of its pipelines."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(ROOT, "Documentation", "ContinuousIntegration", "gitlab-ci.yml"), encoding="utf-8") as file:
            self.jobs = yaml.safe_load(file)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin", "framebudget"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_job(self, name, cpu, expect="", has_page=True):
        for left in ("frames.html", "frames.xml"):
            if os.path.exists(self.path(left)):
                os.remove(self.path(left))
        shutil.rmtree(self.path("results"), ignore_errors=True)
        with open(self.path("my-app.yaml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO.format(render="8 ms", cpu=cpu, seed=1, strategy="main-thread") + expect)
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", "\n".join(self.jobs[name]["script"])], cwd=self.folder, text=True,
            env=os.environ | {"PATH": f"{self.path('bin')}:{os.environ['PATH']}"}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.assertEqual(os.path.exists(self.path("frames.html")), has_page, done.stdout)
        return done.returncode, done.stdout

    def test_a_merge_request_is_compared_with_the_default_branch(self):
        merge_request, branch = "frames of a merge request", "frames of the default branch"
        status, log = self.run_job(merge_request, "1 ms")
        self.assertEqual(status, 66, log)
        self.assertIn("makes a baseline", log)
        self.assertEqual(self.run_job(branch, "1 ms")[0], 0)
        status, log = self.run_job(merge_request, "1 ms")
        self.assertEqual(status, 0, log)
        status, log = self.run_job(merge_request, "9 ms")
        self.assertEqual(status, 1, log)
        self.assertIn("Regression: ", log)
        with open(self.path("frames.xml"), encoding="utf-8") as file:
            self.assertIn("dropped_frames_pct is worse", file.read())

    def test_missed_expectations_fail_after_everything_else(self):
        merge_request, branch = "frames of a merge request", "frames of the default branch"
        expect = "expect: {virtual: {main-thread: {dropped_frames: {max: 0}}}}\n"
        # Also results that miss an expectation are the next baseline; caches of failed jobs are kept only if the job says so.
        self.assertEqual(self.run_job(branch, "9 ms", expect)[0], 1)
        self.assertTrue(os.path.exists(self.path("baseline", "summary.csv")))
        self.assertEqual(self.jobs[".frames"]["cache"]["when"], "always")
        status, log = self.run_job(merge_request, "9 ms", expect)
        self.assertEqual(status, 1, log)
        self.assertIn("No regression", log)
        self.assertTrue(os.path.exists(self.path("frames.xml")))
        self.assertEqual(self.run_job(merge_request, "1 ms", expect)[0], 0)
        # A run that failed has nothing to compare.
        status, log = self.run_job(merge_request, "1 parsec", has_page=False)
        self.assertEqual(status, 65, log)


if __name__ == "__main__":
    unittest.main()
