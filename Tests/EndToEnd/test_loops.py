"""Predictions of the engine for floods that were measured on real main loops. FRAMEBUDGET names the program."""
import os
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class LoopTest(unittest.TestCase):
    # Slow: runs forty scenarios.
    def test_measured_floods_of_main_loops_are_predicted(self):
        check = subprocess.run([os.path.join(ROOT, "scripts", "loops"), "--check"], capture_output=True, text=True)
        self.assertEqual((check.returncode, check.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
