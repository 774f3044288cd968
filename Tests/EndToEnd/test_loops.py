"""Predictions of the engine for floods that were measured on real main loops. FRAMEBUDGET names the program."""
import os
import subprocess
import unittest

import browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class LoopTest(unittest.TestCase):
    # Slow: runs forty scenarios.
    def test_measured_floods_of_main_loops_are_predicted(self):
        check = subprocess.run([os.path.join(ROOT, "scripts", "loops"), "--check"], capture_output=True, text=True)
        self.assertEqual((check.returncode, check.stderr), (0, ""))

    @unittest.skipUnless(browser.path(), "no browser is installed (Debian: chromium)")
    def test_a_browser_checks_timers_between_tasks(self):
        # A task of 40 ms; a timer is due after 5 ms, one without a delay is set after 15 ms, a message is posted after 20 ms.
        script = """new Promise(done => {
          const order = [];
          const {port1, port2} = new MessageChannel();
          port1.onmessage = () => order.push("message");
          setTimeout(() => {
            const begin = performance.now();
            const busy = until => { while (performance.now() - begin < until) continue; };
            setTimeout(() => order.push("timer"), 5);
            busy(15);
            setTimeout(() => order.push("at once"), 0);
            busy(20);
            port2.postMessage(0);
            busy(40);
            setTimeout(() => done(order), 200);
          }, 100);
        })"""
        with browser.Browser() as tab:
            tab.open(os.path.join(ROOT, "benchmarks", "loops", "page.html"))
            self.assertEqual(tab.run(script), ["at once", "message", "timer"])


if __name__ == "__main__":
    unittest.main()
