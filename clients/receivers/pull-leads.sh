#!/bin/sh
# Appends each new clean lead to leads.ndjson in the given folder, as a line of JSON. Needs curl and jq, and flock from util-linux.
# Continues where it stopped, so it can be started at any time, and as often as you like.
set -eu
: "${LEADGATE_URL:?the URL of the service}" "${LEADGATE_WORKSPACE:?the ID of the workspace}" "${LEADGATE_KEY:?an API key}"
cd "${1:-.}"
workspace=$LEADGATE_URL/api/v1/workspaces/$LEADGATE_WORKSPACE

# One at a time. The lock is released when the script stops, however it stops.
exec 9> lock
flock -n 9 || exit 0

# The key comes from standard input, because other users of the machine can see arguments.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$LEADGATE_KEY" |
    curl --silent --show-error --max-time 60 --retry 3 --config - "$@"
}

while :; do
  after=$(cat cursor 2> /dev/null || echo 0)
  ask --fail --output page "$workspace/events/ndjson?after=$after&limit=200"
  [ -s page ] || break
  : > new
  for id in $(jq -r 'select(.type == "lead.accepted" or .type == "lead.released") | .submission_id' page); do
    status=$(ask --output lead --write-out '%{http_code}' "$workspace/leads/$id")
    case $status in
      200) jq -c 'select(.verdict == "clean")' lead >> new ;;
      404) ;; # It was erased since.
      *) echo "The service responded with $status." >&2 && exit 1 ;;
    esac
  done
  cat new >> leads.ndjson
  # Last: if the script stops before this, it reads the same page again, and leads can be in the file twice.
  tail -n 1 page | jq -r .cursor > cursor.new
  mv cursor.new cursor
done
rm -f page lead new
