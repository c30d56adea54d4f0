#!/usr/bin/env bash
# Starts the emulator, waits until it serves, and tells later steps where. It ends with the job.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/waybill-XXXXXX")
info=$folder/emulator.json
log=$folder/emulator.log
command=(npx --no-install waybill)
[[ -z ${EMULATOR_VERSION:-} ]] || command=(npx --yes "--package=@waybill/emulator@$EMULATOR_VERSION" waybill)
read -ra flags <<<"${EMULATOR_ARGUMENTS:-}"

# A group of its own outlives this step.
setsid "${command[@]}" emulator --port 0 --chain-ports 0,0 --out "$info" "${flags[@]}" >"$log" 2>&1 </dev/null &
pid=$!

end=$((SECONDS + ${EMULATOR_WAIT_SECONDS:-60}))
until [[ -s $info ]]; do
  if ! kill -0 "$pid" 2>/dev/null; then
    echo "::error::The emulator ended before it served."
    cat "$log"
    exit 1
  fi
  if ((SECONDS >= end)); then
    echo "::error::The emulator did not serve within ${EMULATOR_WAIT_SECONDS:-60} s."
    # It leads no group before setsid has run.
    kill -- "-$pid" 2>/dev/null || kill "$pid"
    cat "$log"
    exit 1
  fi
  sleep 0.2
done

url=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).apiUrl' "$info")
printf '%s\n' "api-url=$url" "info=$info" "log=$log" "pid=$pid" >>"$GITHUB_OUTPUT"
printf '%s\n' "WAYBILL_EMULATOR=$info" "WAYBILL_URL=$url" >>"$GITHUB_ENV"
echo "The emulator serves $url"
