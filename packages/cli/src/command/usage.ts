import { costText, priceText, rowCostText, totalCost, type UsageReport, usageCsv, usageMarkdown } from '@tandem/contract/model'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'

const formats = ['csv', 'markdown'] as const

const usageText = explainedUsage(
  'tandem usage [YYYY-MM] [--conversation ID] [--format csv|markdown] [--json]',
  'Shows the tokens and the known cost of the runs of this device, by model. Months are in UTC; the default is the current one.',
  '--conversation: of one conversation instead of a month. --format: a table for another program.',
)

/** `tandem usage`: what models cost. */
export async function usage(args: readonly string[]): Promise<number> {
  const given = parseArguments(
    args,
    { conversation: { type: 'string' }, format: { type: 'string' }, json: { type: 'boolean', default: false } },
    usageText,
  )
  if (!given.ok) return given.code
  const { conversation, json } = given.values
  const [month, more] = given.words
  const format = formats.find((name) => name === given.values.format)
  if (given.values.format !== undefined && !format) return printUsage(`--format must be one of ${formats.join(', ')}`, usageText)
  if (more !== undefined) return printUsage(`unexpected argument "${more}"`, usageText)
  if (month !== undefined && conversation !== undefined) return printUsage('give a month or --conversation, not both', usageText)
  if (month !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    return printUsage(`"${month}" is not a month: write it like 2026-11`, usageText)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const params = conversation === undefined ? (month === undefined ? {} : { month }) : { conversation_id: conversation }
    const answer = await client.call('usage_get', params)
    if (!answer.ok) return refused(answer.error)
    if (json) console.log(JSON.stringify(answer.value))
    else if (format === 'csv') process.stdout.write(usageCsv(answer.value))
    else if (format === 'markdown') process.stdout.write(usageMarkdown(answer.value))
    else console.log(reportText(answer.value))
    return 0
  })
}

function reportText({ month, rows, total }: UsageReport): string {
  const what = month ?? 'This conversation'
  if (rows.length === 0) return `${what}: no tokens were used.`
  const lines = rows.map((row) => [
    row.model,
    ...tokens(row.usage),
    rowCostText(row),
    row.price === null ? '' : `(${priceText(row.price)} per million)`,
  ])
  const sum = ['Total', ...tokens(total.usage), costText(totalCost(rows)) || 'price not known', '']
  return `${what}\n${table([...lines, sum])}`
}

function tokens({ input_tokens, cached_tokens, output_tokens, estimated }: UsageReport['total']['usage']): readonly string[] {
  const number = (value: number) => value.toLocaleString('en-US')
  const cached = cached_tokens === 0 ? '' : ` (${number(cached_tokens)} cached)`
  return [`${estimated ? '~' : ''}${number(input_tokens)} in${cached}`, `${number(output_tokens)} out`]
}
