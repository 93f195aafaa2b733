// A folder of notes and source code, generated: the same for the same seed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from './recall-data.ts'

const syllables = [
  'ba',
  'ner',
  'to',
  'li',
  'mas',
  'que',
  'ro',
  'din',
  'va',
  'sel',
  'por',
  'ki',
  'an',
  'tu',
  'ge',
  'lo',
  'fi',
  'cor',
  'mi',
  'sta',
]

/** Words that occur as often as words do: few of them often, most of them rarely. */
export function wordSource(seed: number): () => string {
  const random = seeded(seed)
  const make = (length: number) => Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join('')
  const words = Array.from({ length: 20_000 }, (_, rank) => make(1 + Math.floor(Math.log10(rank + 10))))
  return () => words[Math.floor(words.length ** random()) - 1] ?? 'a'
}

export function markdownOf(word: () => string, bytes: number): string {
  const parts = [`# ${word()} ${word()}`]
  for (let size = 0; size < bytes; ) {
    const sentence = () => `${Array.from({ length: 14 }, word).join(' ')}.`
    const part = `## ${word()} ${word()}\n\n${Array.from({ length: 6 }, sentence).join(' ')}\n\n- ${sentence()}\n- ${sentence()}\n`
    parts.push(part)
    size += part.length
  }
  return `${parts.join('\n\n')}\n`
}

export function codeOf(word: () => string, bytes: number): string {
  const parts = [`// ${word()} ${word()} ${word()}`]
  for (let size = 0; size < bytes; ) {
    const part = `export function ${word()}_${word()}(${word()}: string): number {\n  // ${Array.from({ length: 10 }, word).join(' ')}\n  const ${word()} = ${word()}(${word()})\n  return ${word()}.length\n}\n`
    parts.push(part)
    size += part.length
  }
  return parts.join('\n')
}

/** `megabytes` in `files` files, three of five of them Markdown. */
export function writeDocuments(folder: string, files: number, megabytes: number): number {
  const word = wordSource(7)
  const each = (megabytes * 1_000_000) / files
  let bytes = 0
  for (let at = 0; at < files; at += 1) {
    const isNote = at % 5 < 3
    const below = join(folder, `part-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(below, { recursive: true })
    const text = isNote ? markdownOf(word, each) : codeOf(word, each)
    writeFileSync(join(below, `${at}.${isNote ? 'md' : 'ts'}`), text)
    bytes += Buffer.byteLength(text)
  }
  return bytes
}
