import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

test('all cells of a table are shown, and no more than its text has', () => {
  const markup = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))
  expect(markup('| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 |').match(/<tbody>.*<\/tbody>/)?.[0]).toBe(
    '<tbody><tr><td dir="auto">1</td><td dir="auto">2</td><td dir="auto">3</td></tr><tr><td dir="auto">4</td><td colSpan="1"></td></tr></tbody>',
  )
  const wide = `${'|a'.repeat(1_000)}|\n${'|-'.repeat(1_000)}|\n${'|\n'.repeat(1_000)}`
  expect(markup(wide).split('<td').length).toBe(2_001)
})
