#!/usr/bin/env bash
source ./common.sh
. lib/other.sh
load test_helper

readonly LIMIT=3
name=value

# Runs it.
run() {
  local inner=1
  echo hi
}

function stop {
  :
}
