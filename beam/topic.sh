#!/usr/bin/env bash
# A member of a consumer group that checks a Kafka topic with lmclint: messages go
# to another topic unchanged, and findings to a third. Start up to as many as the
# topic has partitions. A topic has no end, at which a cause would be counted: each finding
# is written. docs/scale.md explains it.
set -euo pipefail
: "${BROKERS:?}" "${INPUT:=recordings}" "${OUTPUT:=recordings-checked}" "${FINDINGS:=lmclint-findings}" "${GROUP:=lmclint}"

# shellcheck disable=SC2086 # KCAT_FLAGS are several words
{
	kcat -b "$BROKERS" -q -u -G "$GROUP" ${KCAT_FLAGS:-} "$INPUT" |
		"${LMCLINT:-lmclint}" check --fail-on never --tee --each --quiet --format jsonl:/dev/fd/3 - |
		kcat -b "$BROKERS" -P -t "$OUTPUT"
} 3> >(exec kcat -b "$BROKERS" -P -t "$FINDINGS")
wait
