// What the runs of a month used and cost, by model, and the prices that the user enters.
import { totalCost, type UsageReport, usageCsv, usageMarkdown } from '@tandem/contract/model'
import { useState } from 'react'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { SelectField } from '../part/form/select-field.tsx'
import { LoadError } from '../part/load-error.tsx'
import { Panel, Section } from '../part/section.tsx'
import { locale } from '../strings/locale.ts'
import { modelWords } from '../strings/models.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { PriceForm } from './price-form.tsx'

/** A run that ended, or a price that changed. */
const usageEvents = /^(?:run_|model_call_)/

export function UsageSettings() {
  const version = useNewestEventNumber(usageEvents)
  const months = useCommand('usage_months', {}, { version })
  const [chosen, setChosen] = useState('')
  const usage = useCommand('usage_get', chosen === '' ? {} : { month: chosen }, { version })
  const known = months.state.state === 'ready' ? months.state.value.months : []
  const report = usage.state.state === 'ready' ? usage.state.value : null
  return (
    <Section anchor="section-usage" title={modelWords.usage} lead={modelWords.usageLead}>
      <Panel className="mb-4 p-4">
        <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
          <MonthSelect months={monthsShown(known, report?.month ?? null)} value={report?.month ?? ''} onChange={setChosen} />
          {report && report.rows.length > 0 && <CopyActions report={report} />}
        </div>
        {usage.state.state === 'failed' && <LoadError error={usage.state.error} again={usage.reload} />}
        {usage.state.state === 'loading' && <p className="text-faint">{words.loading}</p>}
        {report && (report.rows.length === 0 ? <p className="text-faint">{modelWords.noUsage}</p> : <UsageTable report={report} />)}
      </Panel>
      <PriceForm onSaved={usage.reload} />
    </Section>
  )
}

/** The current month is shown even if nothing was used in it yet. */
function monthsShown(known: readonly string[], current: string | null): readonly string[] {
  return current === null || known.includes(current) ? known : [current, ...known]
}

function MonthSelect({ months, value, onChange }: { months: readonly string[]; value: string; onChange(month: string): void }) {
  return (
    <SelectField label={modelWords.month} value={value} onChange={onChange}>
      {months.map((month) => (
        <option key={month} value={month}>
          {monthName(month)}
        </option>
      ))}
    </SelectField>
  )
}

/** Months are in UTC. */
function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function CopyActions({ report }: { report: UsageReport }) {
  const [said, setSaid] = useState('')
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid(modelWords.copied)
    } catch {
      // The browser refuses it without a permission: the user is told.
      setSaid(modelWords.notCopied)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-faint text-sm">
        {said}
      </span>
      <Button onClick={() => copy(usageCsv(report))}>{modelWords.copyCsv}</Button>
      <Button onClick={() => copy(usageMarkdown(report))}>{modelWords.copyMarkdown}</Button>
    </div>
  )
}

const right = 'whitespace-nowrap py-1.5 pl-4 text-right tabular-nums'

function UsageTable({ report: { rows, total } }: { report: UsageReport }) {
  const { columns } = modelWords
  /** What matters most first: narrow screens show only these without scrolling. */
  const numbers = [columns.cost, columns.input, columns.cached, columns.output, columns.runs]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard on narrow screens.
    <section className="overflow-x-auto" tabIndex={0} aria-label={modelWords.columns.cost}>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b text-left text-faint">
            <th scope="col" className="py-1.5 font-normal">
              {columns.model}
            </th>
            {numbers.map((name) => (
              <th key={name} scope="col" className={`${right} font-normal`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${right} font-normal`}>
              {columns.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.model} ${row.address}`} className="border-line border-b">
              <th scope="row" className="min-w-36 py-1.5 text-left font-normal">
                <p className="break-all font-mono text-[13px]">{visibleText(row.model)}</p>
                <p className="break-all text-faint text-xs">{visibleText(row.address ?? '')}</p>
              </th>
              <td className={right}>{row.billing === 'priced' ? modelWords.rowCost(row) : modelWords[row.billing]}</td>
              <Tokens usage={row.usage} />
              <td className={right}>{modelWords.number(row.runs)}</td>
              <td className={right}>{row.price === null ? '–' : modelWords.price(row.price)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-medium">
            <th scope="row" className="py-1.5 text-left">
              {modelWords.total}
            </th>
            <td className={right}>{modelWords.cost(totalCost(rows)) || modelWords.unknown}</td>
            <Tokens usage={total.usage} />
            <td className={right}>{modelWords.number(total.runs)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Tokens({ usage: { input_tokens, cached_tokens, output_tokens, estimated } }: { usage: UsageReport['total']['usage'] }) {
  return (
    <>
      <td className={right}>{`${estimated ? '~' : ''}${modelWords.number(input_tokens)}`}</td>
      <td className={right}>{modelWords.number(cached_tokens)}</td>
      <td className={right}>{modelWords.number(output_tokens)}</td>
    </>
  )
}
