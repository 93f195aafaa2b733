// Makes YAML valid that other clients accept although it is not: values that need quotes, and tabs as indentation.
import type { Yaml } from './frontmatter.ts'

/** Quotes the values that cannot be parsed. Values that can be parsed, lists, maps and blocks of text stay as they are. */
export function repairYaml(block: string, yaml: Yaml): string {
  const lines = block.split(/\r?\n/).map((line) => line.replace(/^[ \t]*\t[ \t]*/, (indent) => indent.replaceAll('\t', '  ')))
  return repairedLines(lines, yaml).join('\n')
}

function repairedLines(lines: readonly string[], yaml: Yaml): string[] {
  return entriesOf(lines).flatMap((entry) => repairedEntry(entry, yaml))
}

/** Each line at the indentation of the first one, with the deeper lines that follow it. */
function entriesOf(lines: readonly string[]): string[][] {
  const entries: string[][] = []
  const base = indentOf(lines.find((line) => line.trim() !== '') ?? '')
  for (const line of lines) {
    const last = entries.at(-1)
    if (last && (line.trim() === '' || indentOf(line) > base)) last.push(line)
    else entries.push([line])
  }
  return entries
}

function repairedEntry(entry: readonly string[], yaml: Yaml): readonly string[] {
  const [first = '', ...rest] = entry
  const [, key, value = ''] = /^(\s*[\w.-]+):(?:[ \t]+(.*))?$/.exec(first) ?? []
  if (key === undefined || isValid(entry.join('\n'), yaml)) return entry
  if (value.trim() === '' && rest.some((line) => line.trim() !== '')) return [first, ...repairedLines(rest, yaml)]
  const text = [value, ...rest]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
  return [`${key}: '${text.replaceAll("'", "''")}'`]
}

function isValid(text: string, yaml: Yaml): boolean {
  const document = yaml.parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
  if (document.errors.length > 0) return false
  try {
    document.toJS({ maxAliasCount: 0 })
    return true
  } catch {
    // An alias without its anchor, as in `*important*`.
    return false
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
