import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseBlocks } from './block.ts'
import { Markdown } from './markdown.tsx'
import { outlined } from './outline.ts'

/** The elements of the headings, with their texts. */
function headings(text: string): readonly string[] {
  const markup = renderToStaticMarkup(createElement(Markdown, { text }))
  return [...markup.matchAll(/<(h\d)[^>]*>(.*?)<\/\1>/g)].map(([, name, words]) => `${name} ${words}`)
}

test('headings are elements that a screen reader lists, below the title of the page and without gaps', () => {
  expect(headings('# A\n\n## B\n\ntext\n\n### C\n\n## D\n\nE\n===')).toEqual(['h2 A', 'h3 B', 'h4 C', 'h3 D', 'h2 E'])
  expect(headings('### A\n\n##### B\n\n### C\n\n# D\n\n- #### E\n\n> # F')).toEqual(['h2 A', 'h3 B', 'h2 C', 'h2 D', 'h3 E', 'h2 F'])
  expect(headings('# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6')).toEqual(['h2 1', 'h3 2', 'h4 3', 'h5 4', 'h6 5', 'h6 6'])
})

test('a piece continues the outline of the pieces before it', () => {
  const first = outlined(parseBlocks('## A\n### B'), [])
  const { blocks, open } = outlined(parseBlocks('### C'), first.open)
  expect([first.open, open]).toEqual([
    [2, 3],
    [2, 3],
  ])
  expect(blocks).toEqual([{ kind: 'heading', level: 3, rank: 3, text: 'C' }])
})
