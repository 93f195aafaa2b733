// The line of a program's error output that says why it ended.

/** Lines that follow the reason: versions, stack traces, closing brackets, hints about log files. */
const noise = [
  /^Node\.js v\d/,
  /^\s+at\s/,
  /^[\s{}[\](),;^~]*$/,
  /a complete log of this run/i,
  /^npm (?:error|ERR!)\s*(?:\/|$)/i,
  /^\s*(?:code|requireStack|errno|syscall)\b.*[:[]/,
]
const reason = /error|exception|fatal|panic|denied|refused|not found|cannot|can't|could not|missing|required|invalid|unknown|usage/i

/** The last line that looks like a reason, otherwise the last that says anything. */
export function lastWords(lines: readonly string[]): string | null {
  const said = lines.slice(-200).filter((line) => !noise.some((pattern) => pattern.test(line)))
  return (said.findLast((line) => reason.test(line)) ?? said.at(-1))?.trim().slice(0, 500) ?? null
}
