// Reads from what a command printed how many tests passed and failed. Pure; each row knows one test program, and the last match counts.

export interface TestResults {
  readonly passed: number
  readonly failed: number
}

interface Reporter {
  readonly program: string
  read(text: string): TestResults | null
}

/** Test programs print their summary at the end. */
const readFrom = 20_000

const reporters: readonly Reporter[] = [
  { program: 'node --test', read: (text) => counted(text, /^(?:#|ℹ) pass (\d+)/gm, /^(?:#|ℹ) fail (\d+)/gm) },
  { program: 'vitest and jest', read: (text) => listed(text, /^\s*Tests:?\s+([^\n]*\b(?:passed|failed)\b[^\n]*)/gm) },
  { program: 'pytest', read: (text) => listed(text, /^(?:=+ )?((?:\d+ \w+, )*\d+ (?:passed|failed|errors?)\b[^\n]*) in [\d.]+ ?s/gm) },
  { program: 'mocha', read: (text) => counted(text, /^\s*(\d+) passing\b/gm, /^\s*(\d+) failing\b/gm) },
  { program: 'cargo test', read: (text) => summed(text, /^test result: \w+\. (\d+) passed; (\d+) failed/gm) },
  { program: 'unittest', read: unittest },
  { program: 'go test', read: (text) => goTest(text) },
]

export function testResultsIn(output: string): TestResults | null {
  const text = output.slice(-readFrom)
  for (const { read } of reporters) {
    const found = read(text)
    if (found) return found
  }
  return null
}

function last(text: string, pattern: RegExp): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null
}

function counted(text: string, passed: RegExp, failed: RegExp): TestResults | null {
  const [good, bad] = [last(text, passed), last(text, failed)]
  return good === null && bad === null ? null : { passed: Number(good ?? 0), failed: Number(bad ?? 0) }
}

/** "2 failed, 10 passed" in any order. */
function listed(text: string, line: RegExp): TestResults | null {
  const summary = last(text, line)
  if (summary === null) return null
  const of = (words: RegExp) => [...summary.matchAll(words)].reduce((sum, [, count]) => sum + Number(count), 0)
  return { passed: of(/(\d+) passed/g), failed: of(/(\d+) (?:failed|errors?)/g) }
}

function summed(text: string, line: RegExp): TestResults | null {
  const found = [...text.matchAll(line)]
  if (found.length === 0) return null
  const of = (group: number) => found.reduce((sum, one) => sum + Number(one[group]), 0)
  return { passed: of(1), failed: of(2) }
}

function unittest(text: string): TestResults | null {
  const run = last(text, /^Ran (\d+) tests? in /gm)
  if (run === null) return null
  const verdict = last(text, /^(OK|FAILED)\b[^\n]*$/gm)
  const parts = [...(text.match(/^FAILED \(([^)\n]*)\)/m)?.[1] ?? '').matchAll(/(?:failures|errors)=(\d+)/g)]
  const failed = parts.reduce((sum, [, count]) => sum + Number(count), 0)
  return verdict === null ? null : { passed: Math.max(0, Number(run) - failed), failed }
}

/** One line per package. */
function goTest(text: string): TestResults | null {
  const [passed, failed] = [[...text.matchAll(/^ok\s+\S+\s+[\d.(]/gm)].length, [...text.matchAll(/^FAIL\s+\S+\s+[\d.[]/gm)].length]
  return passed + failed === 0 ? null : { passed, failed }
}
