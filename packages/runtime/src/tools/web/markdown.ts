// Converts elements to Markdown. Data tables become pipe tables; layout tables are replaced with their contents.
import TurndownService from 'turndown'
import type { PageElement } from './page-element.ts'

export function markdownOf(root: PageElement): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' })
  turndown.remove(['script', 'style', 'noscript', 'button', 'input', 'select', 'textarea', 'title'] as never[])
  turndown.addRule('image', { filter: 'img', replacement: (_, node) => image(node as PageElement) })
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => (inData(node as PageElement) ? cell(content, node as PageElement) : `\n\n${content}\n\n`),
  })
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => (inData(node as PageElement) ? row(content, node as PageElement) : content),
  })
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  turndown.addRule('sections', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  return turndown.turndown(root as never).replace(/\n{3,}/g, '\n\n')
}

function image(node: PageElement): string {
  const source = node.getAttribute('src')
  const words = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim()
  return source ? `![${words.replace(/[[\]]/g, '')}](${source})` : words
}

function cell(content: string, node: PageElement): string {
  const words = content
    .trim()
    .replace(/\s*\n+\s*/g, ' ')
    .replaceAll('|', '\\|')
  const width = Math.min(50, Math.max(1, Number(node.getAttribute('colspan')) || 1))
  return ` ${words} |${'  |'.repeat(width - 1)}`
}

function row(content: string, node: PageElement): string {
  const line = `\n|${content}`
  if (tableOf(node)?.querySelector('tr') !== node) return line
  const columns = content.match(/(?<!\\)\|/g)?.length ?? 1
  return `${line}\n|${' --- |'.repeat(columns)}`
}

const judged = new WeakMap<PageElement, boolean>()

/** A data table has no table inside and at least one row of two cells. */
function inData(node: PageElement): boolean {
  const table = tableOf(node)
  if (!table) return false
  const known = judged.get(table)
  if (known !== undefined) return known
  const data = !table.querySelector('table') && [...table.querySelectorAll('tr')].some((line) => line.querySelectorAll('td, th').length > 1)
  judged.set(table, data)
  return data
}

function tableOf(node: PageElement): PageElement | null {
  return node.closest('table')
}
