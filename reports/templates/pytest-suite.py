# <title>
import os
import subprocess

base = os.environ.get("PETSTORE_BASE_URL", "<base>")


def test_<name>():
    # What fits together in several responses is judged by the suite itself; the key is in PETSTORE_API_KEY.
    subprocess.run("<suite>".split() + [f"--base-url={base}"], check=True)
