// The usage of a month as a table to copy.
import { costText, priceText, totalCost } from './cost.ts'
import type { UsageReport, UsageRow } from './schema.ts'

const columns = ['Model', 'Address', 'Runs', 'Input tokens', 'Cached', 'Output tokens', 'Price per million', 'Cost'] as const

/** Spreadsheets run a cell that begins like a formula: such a name gets an apostrophe. */
export function usageCsv(report: UsageReport): string {
  const quoted = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  return `${[columns, ...cells(report)].map((row) => row.map(quoted).join(',')).join('\n')}\n`
}

export function usageMarkdown(report: UsageReport): string {
  const line = (row: readonly string[]) => `| ${row.map((text) => text.replace(/[\\|]/g, '\\$&').replaceAll('\n', ' ')).join(' | ')} |`
  const rule = columns.map((_, at) => (at >= 2 && at <= 5 ? '---:' : '---'))
  return `${[line(columns), `| ${rule.join(' | ')} |`, ...cells(report).map(line)].join('\n')}\n`
}

/** What is known about the cost of one row. */
export function rowCostText(row: Pick<UsageRow, 'billing' | 'cost'>): string {
  return costText(totalCost([row])) || 'price not known'
}

function cells({ rows, total }: UsageReport): readonly (readonly string[])[] {
  const all = rows.map((row) => [
    row.model,
    row.address ?? '',
    String(row.runs),
    ...tokens(row.usage),
    row.price === null ? '' : priceText(row.price),
    rowCostText(row),
  ])
  return [...all, ['Total', '', String(total.runs), ...tokens(total.usage), '', costText(totalCost(rows)) || 'price not known']]
}

function tokens({ input_tokens, cached_tokens, output_tokens, estimated }: UsageRow['usage']): readonly string[] {
  return [`${estimated ? '~' : ''}${input_tokens}`, String(cached_tokens), String(output_tokens)]
}
