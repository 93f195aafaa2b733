// Emphasis where a terminal shows it, and plain words elsewhere.
import { styleText } from 'node:util'

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** NO_COLOR and streams that are no terminal are respected. */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return styleText(format, text, { stream })
}

export function columnsOf(stream: NodeJS.WriteStream): number {
  return Math.max(40, stream.columns ?? 100)
}
