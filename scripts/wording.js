// Finds wording in strings and documents that a native speaker would not use.
// `node scripts/wording.js` prints each finding with what to write instead.
import { globSync, readFileSync } from 'node:fs'
import { root } from './setup/paths.js'

/** A pattern, and what to write instead. Case-insensitive. */
const words = [
  [/[«»]/, '“ ” or "'],
  [/\bcan not\b/, 'cannot'],
  [/\banew\b|\bonce more\b/, 'again'],
  [/\bmend(?:s|ed|ing)?\b|\b(?:put|puts|putting|set|sets) (?:it |this |them )?right\b/, 'fix'],
  [/\b(?:take|takes|took|taken|taking) (?:it |this |that |them |even that |it all )?back\b/, 'undo, restore, revoke'],
  [/\btime was over\b/, 'timed out'],
  [/\b(?:go|goes|going|went|gone) on with\b|\b(?:go|goes|went|gone) on\b(?! the)|\bgoing on\b/, 'continue, resume, in progress'],
  [/\bnobody\b|\bsomebody\b|\bwhoever\b/, 'no one, a user, the caller, or rephrase'],
  [/\bshall\b/, 'should, must, will'],
  [
    /\b(?:say|says|said|saying) (?:yes|no) to\b|\byour yes\b|\bwaits? for (?:a|your) yes\b|\bsa(?:y|id) yes\b|\ba yes\b/,
    'approve, approval',
  ],
  [/\b(?:lies|lay) (?:on|in|here|there|beside|inside|behind)\b/, 'is stored, is'],
  [/\bbrought along\b|\bbrings? along\b/, 'built-in, included'],
  [/\bstruck down\b/, 'killed'],
  [/\blook twice\b/, 'review carefully, warning'],
  [/\bmake me one\b/, 'create account'],
  [/\bunless (?:told|said)\b/, 'by default'],
  [/\bunder way\b/, 'in progress'],
  [/\bwith commas between\b/, 'separated by commas'],
  [/\bthat is none\b|\bis no (?:variable|address|name|list|cluster)\b/, 'is not a …'],
  [/\bone a (?:line|call|user|run|page)\b/, 'one per …'],
]

/** What people read: strings of the product, and documents that are kept up to date. Decisions are history. */
const sources = ['packages/*/src/**/*.{ts,tsx}']
const documents = ['*.md', 'docs/*.md']
const excluded = /\.test\.tsx?$|\/test-[^/]+\.ts$|^packages\/contract\/src\/sample\.ts$/

/** @typedef {{ readonly line: number, readonly text: string }} Piece */

/** The findings in one file, as lines to print. */
export function findings(path, content) {
  const pieces = path.endsWith('.md') ? prose(content) : literals(content)
  return pieces.flatMap(({ line, text }) =>
    words.flatMap(([pattern, instead]) => {
      const found = new RegExp(pattern, 'i').exec(text)
      return found ? [`${path}:${line}: "${found[0]}": write ${instead}`] : []
    }),
  )
}

/** @returns {Piece[]} the lines of a document, without code. */
function prose(content) {
  let fenced = false
  return content.split('\n').flatMap((text, index) => {
    if (/^\s*```/.test(text)) {
      fenced = !fenced
      return []
    }
    return fenced ? [] : [{ line: index + 1, text: text.replace(/`[^`]*`/g, '``') }]
  })
}

const beforeExpression = /(?:^|[(,=:[!&|?{};+\n>]|\breturn|\bcase|=>)\s*$/

/**
 * @returns {Piece[]} the string literals of a source, the text of templates without what is inserted. Single words are names, not text.
 * Comments and regular expressions are left out.
 */
export function literals(source) {
  const pieces = []
  let line = 1
  let at = 0
  /** Templates whose `${` is open: the depth of braces there. */
  const open = []
  let depth = 0
  while (at < source.length) {
    const char = source[at]
    const next = source[at + 1]
    if (char === '\n') line += 1
    if (char === '/' && next === '/') at = skipTo('\n', at)
    else if (char === '/' && next === '*') at = skipTo('*/', at + 2) + 2
    else if (char === '/' && beforeExpression.test(source.slice(Math.max(0, at - 20), at))) at = regularExpression(at)
    else if (char === "'" || char === '"') at = quoted(char, at + 1)
    else if (char === '`') at = template(at + 1)
    else {
      if (char === '{') depth += 1
      if (char === '}') {
        if (open.at(-1) === depth) {
          open.pop()
          at = template(at + 1)
          continue
        }
        depth -= 1
      }
      at += 1
    }
  }
  return pieces.filter(({ text }) => /\s/.test(text.trim()) || /[«»]/.test(text))

  function skipTo(end, from) {
    const found = source.indexOf(end, from)
    const to = found < 0 ? source.length : found
    line += source.slice(from, to).split('\n').length - 1
    return to
  }

  /** Ends at the end of the line if it is not a string after all, such as an apostrophe in the text of a page. */
  function quoted(quote, from) {
    let to = from
    while (to < source.length && source[to] !== quote && source[to] !== '\n') to += source[to] === '\\' ? 2 : 1
    pieces.push({ line, text: source.slice(from, to) })
    return source[to] === quote ? to + 1 : to
  }

  function template(from) {
    let to = from
    let text = ''
    const start = line
    while (to < source.length && source[to] !== '`') {
      if (source[to] === '$' && source[to + 1] === '{') {
        pieces.push({ line: start, text })
        open.push(depth)
        return to + 2
      }
      if (source[to] === '\n') line += 1
      const length = source[to] === '\\' ? 2 : 1
      text += source.slice(to, to + length)
      to += length
    }
    pieces.push({ line: start, text })
    return to + 1
  }

  function regularExpression(from) {
    let to = from + 1
    let inClass = false
    while (to < source.length && source[to] !== '\n' && (inClass || source[to] !== '/')) {
      if (source[to] === '[') inClass = true
      if (source[to] === ']') inClass = false
      to += source[to] === '\\' ? 2 : 1
    }
    return to + 1
  }
}

if (import.meta.main) {
  const paths = [...sources, ...documents].flatMap((pattern) => globSync(pattern, { cwd: root })).filter((path) => !excluded.test(path))
  const files = paths.sort().map((path) => [path, readFileSync(root + path, 'utf8')])
  const found = files.flatMap(([path, content]) => findings(path, content))
  for (const one of found) console.log(one)
  console.log(found.length === 0 ? `${files.length} files` : `${found.length} problems`)
  process.exitCode = found.length === 0 ? 0 : 1
}
