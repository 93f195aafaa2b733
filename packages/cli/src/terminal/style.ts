// Emphasis on terminals that support it, plain text elsewhere.
import { styleText } from 'node:util'

/** Moves to the beginning of the line and clears it. */
export const eraseLine = '\r\x1b[2K'

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Respects NO_COLOR, and streams that are not terminals. */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return styleText(format, text, { stream })
}

export function columnsOf(stream: NodeJS.WriteStream): number {
  return Math.max(40, stream.columns ?? 100)
}
