"""Adds a repository to a running server, follows its index run, searches once and prints the hits.

Standard library only. The address and the sign-in come from QUARRY_URL, QUARRY_EMAIL and QUARRY_PASSWORD.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ["QUARRY_URL"].rstrip("/") + "/api/v1"


def call(method, path, body=None, token=None):
    """One JSON call; a problem document ends the program with its own words."""
    request = urllib.request.Request(BASE + path, method=method)
    request.add_header("Accept", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, data, timeout=60) as reply:
            text = reply.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read() or b"{}")
        sys.exit(f"error: {problem.get('detail') or problem.get('title') or error}")


def sign_in():
    return call(
        "POST",
        "/auth/login",
        {"email": os.environ["QUARRY_EMAIL"], "password": os.environ["QUARRY_PASSWORD"]},
    )["access_token"]


def find_or_add(project, source, token):
    """The repository of this source, added when it is not there yet, and the run to follow."""
    location = source.get("url") or source.get("path")
    for repository in call("GET", f"/projects/{project}/repositories?limit=100", token=token)["items"]:
        if location in (repository["source"]["url"], repository["source"]["path"]):
            run = call("POST", f"/repositories/{repository['id']}/index", {}, token)
            return repository, run
    repository = call("POST", f"/projects/{project}/repositories", {"source": source}, token)
    runs = call("GET", f"/repositories/{repository['id']}/index-runs?limit=1", token=token)["items"]
    return repository, runs[0]


def follow(run, token):
    """Prints progress until the run has ended."""
    start, shown = time.monotonic(), None
    while run["state"] in ("queued", "running"):
        line = f"  {run['stage']:8} {run['files_done']}/{run['files_total']} files, {run['chunks_done']} chunks"
        if line != shown:
            print(line, flush=True)
            shown = line
        time.sleep(0.3)
        run = call("GET", f"/index-runs/{run['id']}", token=token)
    if run["state"] != "succeeded":
        error = run["error"] or {}
        sys.exit(f"error: the index run {run['state']}: {error.get('message', 'no reason given')}")
    print(f"  indexed in {time.monotonic() - start:.1f} s")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("repository")
    arguments.add_argument("--search", default="where are citations or snapshots published")
    chosen = arguments.parse_args()
    remote = "://" in chosen.repository or chosen.repository.startswith("git@")
    source = (
        {"kind": "git", "url": chosen.repository}
        if remote
        else {"kind": "local", "path": chosen.repository}
    )

    token = sign_in()
    organization = call("GET", "/organizations", token=token)["items"][0]
    project = call("GET", f"/organizations/{organization['id']}/projects", token=token)["items"][0]
    repository, run = find_or_add(project["id"], source, token)
    follow(run, token)

    published = call("GET", f"/repositories/{repository['id']}", token=token)["published"]
    if published is None:
        sys.exit("error: nothing was published")
    print(
        f"  {published['files_seen']} files seen = {published['files_indexed']} indexed + "
        f"{published['files_skipped']} skipped, {published['chunks']} chunks, commit {published['commit'][:12]}"
    )

    print(f'\nSearch: "{chosen.search}"')
    found = call(
        "POST",
        "/search",
        {"query": chosen.search, "organization_id": organization["id"], "repository_ids": [repository["id"]], "limit": 5},
        token,
    )
    for hit in found["hits"]:
        symbol = f"  {hit['symbol']}" if hit["symbol"] else ""
        print(f"  {hit['rank']}. {hit['path']}:{hit['start_line']}-{hit['end_line']}{symbol}")
    if not found["hits"]:
        print(f"  nothing found: {found['hint'] or found['verdict']}")
    print(f"  ({found['took_ms']:.1f} ms)")


if __name__ == "__main__":
    main()
