// What a server writes outside the protocol: its stderr, its log messages, and errors in its frames. Bounded; the newest are kept.
import { type Clock, timestamp } from '../../clock/clock.ts'
import { mcpLimits } from '../limits.ts'

/** `server`: logged over the protocol. `tandem`: noticed by us. */
type LogSource = 'stderr' | 'stdout' | 'server' | 'tandem'

export interface LogLine {
  readonly ts: string
  readonly source: LogSource
  readonly text: string
}

export interface ServerLog {
  /** Any text; it is split into lines here. */
  write(source: LogSource, text: string): void
  /** Bytes of a stream, whose lines may come in pieces. */
  feed(source: LogSource, chunk: Uint8Array): void
  /** Secret values, with the name to show instead. */
  hide(secrets: ReadonlyMap<string, string>): void
  /** The text with names in place of the values. */
  conceal(text: string): string
  read(): { readonly lines: readonly LogLine[]; readonly dropped_lines: number }
  /** All lines of one source. */
  lines(source: LogSource): readonly string[]
  /** The end of the log as one text, for the facts of a failure. */
  tail(): string
}

/** Shorter values are not secrets, and redacting them would redact everything. */
const shortestSecret = 6

export function serverLog(clock: Clock): ServerLog {
  let lines: LogLine[] = []
  let bytes = 0
  let dropped = 0
  const open = new Map<LogSource, string>()
  const hidden = new Map<string, string>()

  function add(source: LogSource, raw: string): void {
    const text = clean(conceal(raw)).slice(0, mcpLimits.log_line)
    if (text === '') return
    lines.push({ ts: timestamp(clock.now()), source, text })
    bytes += text.length
    if (bytes <= mcpLimits.log_bytes) return
    // Drops a quarter at once, so that a flood does not move the list for each line.
    let cut = 0
    while (cut < lines.length - 1 && bytes > (mcpLimits.log_bytes * 3) / 4) bytes -= lines[cut++]?.text.length ?? 0
    lines = lines.slice(cut)
    dropped += cut
  }

  function conceal(text: string): string {
    let shown = text
    for (const [value, name] of hidden) shown = shown.replaceAll(value, `[${name}]`)
    return shown
  }

  return {
    write(source, text) {
      for (const line of text.split(/\r?\n/)) add(source, line)
    },
    feed(source, chunk) {
      const text = (open.get(source) ?? '') + Buffer.from(chunk).toString('utf8')
      const pieces = text.split(/\r?\n/)
      const rest = pieces.pop() ?? ''
      for (const piece of pieces) add(source, piece)
      if (rest.length > mcpLimits.log_line) {
        add(source, rest)
        open.set(source, '')
      } else open.set(source, rest)
    },
    hide(secrets) {
      for (const [value, name] of secrets) if (value.length >= shortestSecret) hidden.set(value, name)
    },
    conceal,
    read() {
      const unfinished = [...open].filter(([, text]) => text !== '')
      const ts = timestamp(clock.now())
      return {
        lines: [...lines, ...unfinished.map(([source, text]) => ({ ts, source, text: clean(conceal(text)) }))],
        dropped_lines: dropped,
      }
    },
    lines(source) {
      return this.read().lines.flatMap((line) => (line.source === source ? [line.text] : []))
    },
    tail() {
      return this.read()
        .lines.slice(-20)
        .map(({ text }) => text)
        .join('\n')
        .slice(-4_096)
    },
  }
}

/** Terminal sequences and control characters would affect the terminal that shows the log. */
function clean(text: string): string {
  return text.replace(/(?!\t)\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*)?/gu, '')
}
