// Whether a call ended when a limit of time was reached that it or its output names. Pure.

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  sek: 1_000,
  second: 1_000,
  sekunde: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
}
const stated = /(?<![\d.,:])(\d{1,6})[ -]?(ms|s|secs?|sek|seconds?|sekunden?|m|min|minuten?|minutes?)(?![\p{L}\d])/giu
const given = /(?:time|limit|wait|deadline|alarm|frist)[\w-]*(?:"?\s*[=:]\s*|\s+)"?(\d{1,6})(ms|s|m)?(?![\d.])/gi
/** After the limit, until everything has ended. */
const slack = 1.5
const slack_ms = 1_500

/** A measured time is rarely round, and a limit nearly always is. */
export function reachedLimit(duration_ms: number, command: string, lines: readonly string[]): boolean {
  const fromText = lines.flatMap((line) => [...line.matchAll(stated)].map(([, count, unit]) => limitOf(count, unit)))
  const fromCall = [...command.matchAll(given)].flatMap(([, count, unit]) =>
    unit ? [limitOf(count, unit)] : [limitOf(count, 's'), limitOf(count, 'ms')],
  )
  return [...fromText, ...fromCall].some((limit) => limit >= 100 && duration_ms >= limit && duration_ms <= limit * slack + slack_ms)
}

function limitOf(count = '', unit = ''): number {
  const name = unit.toLowerCase()
  const factor = units[name] ?? units[name.replace(/[sn]$/, '')] ?? 0
  return /^\d{1,2}0*$/.test(count) ? Number(count) * factor : 0
}
