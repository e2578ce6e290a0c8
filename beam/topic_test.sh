#!/usr/bin/env bash
# Tests topic.sh with the broker that kcat has for tests: topic_test.sh LMCLINT.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
mkfifo "$work/hold"
kcat -b none -X test.mock.num.brokers=1 -d mock -P -t hold <"$work/hold" 2>"$work/broker" &
broker=$!
exec 9>"$work/hold"
trap 'exec 9>&-; kill $broker 2>/dev/null || true; rm -rf "$work"' EXIT
BROKERS=
for _ in $(seq 600); do
	BROKERS=$(sed -n 's/.*bootstrap.servers=\(127[0-9.:]*\)$/\1/p' "$work/broker" | head -1)
	[[ -z $BROKERS ]] || break
	sleep 0.1
done

good='[{"role": "user", "type": "message", "content": "Hello"}, {"role": "assistant", "type": "message", "content": "Hi."}]'
for i in $(seq 20); do
	if ((i % 5)); then echo "$good"; else echo "${good/assistant/asistant}"; fi
done >"$work/in"
kcat -b "$BROKERS" -P -t recordings -l "$work/in"
BROKERS=$BROKERS LMCLINT=$1 KCAT_FLAGS="-e -X auto.offset.reset=earliest" ./topic.sh
kcat -b "$BROKERS" -C -q -e -t recordings-checked | sort >"$work/checked"
sort "$work/in" | cmp - "$work/checked"
kcat -b "$BROKERS" -C -q -e -t lmclint-findings >"$work/findings"
test "$(grep -c '"rule":"LMC102"' "$work/findings")" = 4
echo "20 messages passed on, 4 findings"
