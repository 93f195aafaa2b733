// A knowledge base on a disk that fills up: reports what was found before, while it was full, and after space was freed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderSource, newFolder, TestKnowledge } from './test-knowledge.ts'

const home = process.argv[2] ?? ''
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', home])
mkdirSync(join(home, 'kb'))
const documents = newFolder('documents')
const words = (file: number) => Array.from({ length: 4_000 }, (_, at) => `word${file}x${at}`).join(' ')
writeFileSync(join(documents, 'a.md'), 'The boat is green.\n')
const base = new TestKnowledge(join(home, 'kb'))
const outcome = () =>
  base.read(folderSource(documents)).then(
    () => 'read',
    () => 'failed',
  )
const found = () =>
  base
    .find('boat')
    .map(({ name }) => name)
    .sort()
await outcome()
const before = found()
for (let file = 0; file < 6; file += 1) writeFileSync(join(documents, `${file}.md`), `The boat number ${file}.\n\n${words(file)}\n`)
/** Uses up the remaining space, so that the file cannot grow. */
const filler = join(home, 'filler')
let size = 4 * 1024 * 1024
while (size > 512) {
  try {
    writeFileSync(filler, Buffer.alloc(size, 1), { flag: 'a' })
  } catch {
    size = Math.floor(size / 2)
  }
}
const full = await outcome()
const during = found()
rmSync(filler)
execFileSync('mount', ['-o', 'remount,size=64m', home])
const again = await outcome()
console.log(JSON.stringify({ before, full, during, again, after: found() }))
execFileSync('umount', ['-l', home])
