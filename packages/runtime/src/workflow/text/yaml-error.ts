// The errors of the YAML parser as sentences with a remedy.
import type { ErrorCode, YAMLError } from 'yaml'
import { tooDeep } from './text-node.ts'

const colon = 'put text that contains ": " in quotes, and start the fields of an object on a new line'

const texts: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'put text that starts with * or & in quotes',
  BAD_DQ_ESCAPE: 'in double quotes, write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'check the indentation, and whether a closing bracket is missing',
  BAD_SCALAR_START: 'put text that starts with a special character in quotes',
  BLOCK_AS_IMPLICIT_KEY: colon,
  BLOCK_IN_FLOW: 'a list or an object in brackets cannot contain lines that start with - or a field',
  MISSING_CHAR: 'a closing quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY: colon,
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'check the indentation, the quotes and the brackets',
}

export function yamlErrorText(text: string, { code, pos: [offset], message }: YAMLError): string {
  if (code === 'RESOURCE_EXHAUSTION') return tooDeep
  const placeholder = placeholderBefore(text, offset)
  if (placeholder !== undefined) return quotePlaceholder(placeholder)
  return `is not valid YAML: ${texts[code] ?? message}`
}

export function quotePlaceholder(placeholder: string): string {
  return `must be in quotes, because it starts with ${placeholder.length > 100 ? 'a placeholder' : `the placeholder ${placeholder}`}`
}

/** A value in the line of the error that starts with `{{` without quotes: YAML reads it as an object. */
function placeholderBefore(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(start, Math.min(end < 0 ? text.length : end, start + 1_000))
  return /^[^"'#]*?(?:^|[-:,[{]\s|[[{])\s*(\{\{[^{}]*\}\})/.exec(line)?.[1]
}
