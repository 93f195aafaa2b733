// Runs axe on a page: only serious or critical findings, each with its element.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colours = ['color-contrast']

/** `colours`: only what can differ between two themes of one page. `without`: elements that are examined elsewhere. */
export async function seriousFindings(
  page: Page,
  what: 'everything' | 'colours' = 'everything',
  without: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source)
  const runOnly = what === 'colours' ? colours : everything
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify({ exclude: without })}, ${JSON.stringify({ resultTypes: ['violations'], runOnly })})`,
  )) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary ?? ''}`))
}
