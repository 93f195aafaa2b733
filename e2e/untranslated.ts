// Runs in the page: its texts, and those that are cut. Both are only what a user can see or a screen reader can read.

export interface SeenText {
  readonly text: string
  /** The element, or an attribute of it. */
  readonly where: string
}

/** Not texts of the window: code, keys, times, and what users and agents wrote. */
const data =
  'code, kbd, pre, samp, time, textarea, [contenteditable], .cm-editor, .diff-frame, .diff-text, .diff-half, .markdown, .prose, [translate=no], script, style, noscript'

export const textsOfPage = `(() => {
  const found = []
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !element.closest(${JSON.stringify(data)})
  const where = (element) => {
    const names = []
    for (let at = element; at && at !== document.body && names.length < 5; at = at.parentElement) names.unshift(at.localName + (at.dataset.card ? '[' + at.dataset.card + ']' : ''))
    return names.join(' > ')
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data: text, parentElement } = texts.currentNode
    if (/\\p{L}/u.test(text) && shown(parentElement)) found.push({ text, where: where(parentElement) })
  }
  for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-description], [aria-roledescription]')) {
    if (!element.checkVisibility()) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription']) {
      const text = element.getAttribute(name)
      if (text && /\\p{L}/u.test(text)) found.push({ text, where: where(element) + ' @' + name })
    }
  }
  found.push({ text: document.title, where: 'title' })
  return found
})()`

/** Texts that are cut without an ellipsis and a title, and scroll containers of the page that are wider than their place. */
export const cutTextsOfPage = `(() => {
  const found = []
  // A line with aria-expanded opens and then shows all of it.
  const hasTitle = (element) => element.closest('[title], [aria-expanded]') !== null
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    const node = texts.currentNode
    const element = node.parentElement
    if (!/\\p{L}/u.test(node.data) || !element.checkVisibility({ visibilityProperty: true }) || element.closest('.sr-only, .skip-link, .whole-or-none, option, script, style')) continue
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    if (rects.length === 0) continue
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') { if (style.position === 'fixed') break; continue }
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break
      const box = at.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) break
      const out = rects.filter((rect) => rect.right > box.right + 1.5 || rect.left < box.left - 1.5 || rect.bottom > box.bottom + 3 || rect.top < box.top - 3)
      if (out.length === 0) continue
      const isClamped = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      if (!(isClamped && hasTitle(element))) found.push((isClamped ? 'no title: ' : 'cut: ') + node.data.slice(0, 80) + ' in ' + at.localName + '.' + String(at.className).slice(0, 80))
      break
    }
  }
  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('input[placeholder]:not([type=checkbox]), select')) {
    if (!field.checkVisibility() || field.title) continue
    const style = getComputedStyle(field)
    pen.font = style.font
    const text = field.localName === 'select' ? field.selectedOptions[0]?.text ?? '' : field.placeholder
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (pen.measureText(text).width > room + 1) found.push('field: ' + text.slice(0, 80) + ' in ' + Math.round(room) + ' px')
  }
  // What is meant to scroll sideways says so: tables, code, diffs and tabs.
  for (const one of document.body.querySelectorAll('*')) {
    if (one.scrollWidth <= one.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(one).overflowX) || !one.checkVisibility()) continue
    if (!/overflow-x|overflow-auto/.test(one.className) && !one.matches('textarea, pre, .prose *, .diff-frame, .diff-frame *, .cm-editor *, [data-diff] *, code')) found.push('scrolls: ' + one.localName + '.' + String(one.className).slice(0, 80))
  }
  for (const one of [document.documentElement, document.querySelector('#content')]) {
    if (one && one.scrollWidth > one.clientWidth) found.push('scrolls: ' + (one.id || 'page'))
  }
  return found
})()`

/** The parts of a text that no brackets enclose, without those that the runtime sent. */
export function untranslatedParts(text: string, sent: SentTexts): readonly string[] {
  let rest = plain(text)
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, mark)
  }
  if (!/\p{L}/u.test(rest)) return []
  for (const whole of sent.longestFirst()) rest = rest.replaceAll(whole, mark)
  return rest
    .split(/[␞·|↔→“”()]|, |: /)
    .map((part) => part.trim().replace(/^[,.:;…\s]+|[,.:;…\s]+$/g, ''))
    .filter((part) => /\p{L}/u.test(part) && !sent.has(part) && !notTranslated.some(([pattern]) => pattern.test(part)))
}

const mark = '␞'

/** What is not translated in any language, in lower case, and why. */
const notTranslated: readonly (readonly [RegExp, string])[] = [
  [/^tandem$/, 'the name of the product'],
  [
    /^(scripted|none|words|broken|innocent|hostile 1|ask|save|agent|gone|mcp|env|everything|[a-z]+\.md|command|~\/workspace)$/,
    'names of models, servers, tools, nodes, files and parts of the runtime',
  ],
  [/^(linux|arm64|x64|vm)\b/, 'the system and the name of this machine'],
  [/^(preference|forbidden)$/, 'names of signals, which an agent chooses'],
  [/^[a-z]$/, 'keys'],
  [/^\/[a-z-]+|^\[?name\]?$|^default\]$|^json\]$/, 'the syntax of commands'],
  [/^[\d.,]+ ([kmg]i)?b$/, 'sizes'],
  [/^\d{1,2} \p{L}{3,4} \d{4}$/u, 'dates'],
  [/⟨u\+/, 'texts of servers, with what they hide'],
  [/^([a-z]+(_[a-z]+)+|timeout|unauthorized)$/, 'codes of errors'],
]

/** All that the runtime sent and that could be the words of someone: a value of an enumeration is not. */
export class SentTexts {
  #texts = new Set<string>()
  #sorted: readonly string[] | null = null

  add(value: unknown): void {
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) this.add(part)
    if (typeof value !== 'string' || /^[a-z][a-z_]*$/.test(value)) return
    for (const line of [value, ...value.split('\n')]) this.#texts.add(plain(line))
    this.#sorted = null
  }

  /** Short texts may be part of any other. */
  longestFirst(): readonly string[] {
    this.#sorted ??= [...this.#texts].filter((text) => text.length > 5).toSorted((a, b) => b.length - a.length)
    return this.#sorted
  }

  /** A whole text, or most of one that was shortened. */
  has(part: string): boolean {
    const text = plain(part)
    return this.#texts.has(text) || (text.length > 12 && this.longestFirst().some((whole) => whole.includes(text)))
  }
}

/** As the window shows it: a sentence begins with a capital letter and may end with a period. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.…]+$/, '')
    .toLowerCase()
}
