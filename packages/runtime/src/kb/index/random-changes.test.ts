// Files are changed at random: edited, moved, renamed in case only, deleted, made unreadable, replaced by a link. `npm run test:kb` changes
// 10,000 of them.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSource, newFolder, TestKnowledge } from '../../../test/support/kb/test-knowledge.ts'

const files = Number(process.env.TANDEM_KB_FILES ?? 60)
const rounds = files > 1_000 ? 3 : 10
const timeout = 1_200_000

/** A fixed sequence of pseudo-random numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x7fffffff) * below) % below
  }
}

function changedFolder(seed: number) {
  const random = numbers(seed)
  const root = newFolder('docs')
  const outside = newFolder('outside')
  writeFileSync(join(outside, 'x.md'), 'Outside.\n')
  const word = () => ['boat', 'motor', 'oil', 'sail', 'Wind', 'éclair', '会議'][random(7)] ?? ''
  const text = () => `# ${word()}\n\n${Array.from({ length: 1 + random(200) }, word).join(' ')}\n\n## ${word()}\n\n${word()}\n`
  const name = () => {
    const number = random(Math.ceil(files / 10))
    const written = ['note', 'Note', '.env'][random(files > 1_000 ? 2 : 3)]
    return `${['', 'a/', 'a/b/', 'C/'][random(4)]}part-${number % 50}/${written}-${number}.${['md', 'txt', 'ts'][random(3)]}`
  }
  const put = (path: string) => {
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, text())
  }
  const attempt = (change: () => void) => {
    try {
      change()
    } catch {
      // The file is not there, or a folder is in its place.
    }
  }
  return {
    root,
    change() {
      const path = join(root, name())
      mkdirSync(dirname(path), { recursive: true })
      const kind = random(8)
      if (kind <= 2) put(path)
      else if (kind === 3) rmSync(path, { recursive: true, force: true })
      else if (kind === 4) {
        const to = join(root, name())
        mkdirSync(dirname(to), { recursive: true })
        attempt(() => renameSync(path, to))
      } else if (kind === 5)
        attempt(() =>
          renameSync(
            path,
            path.replace(/note-/i, (found) => (found === 'note-' ? 'Note-' : 'note-')),
          ),
        )
      else if (kind === 6) {
        rmSync(path, { recursive: true, force: true })
        symlinkSync(join(outside, 'x.md'), path)
      } else attempt(() => chmodSync(path, [0o600, 0o000][random(2)] ?? 0o600))
    },
  }
}

test.each(files > 1_000 ? [1] : [1, 2, 3])(
  'after any changes, it equals one that is built from scratch: seed %i',
  { timeout },
  async (seed) => {
    const { root, change } = changedFolder(seed)
    const kb = new TestKnowledge()
    for (let round = 0; round < rounds; round += 1) {
      for (let changes = 0; changes < (round === 0 ? files * 2 : files / 4); changes += 1) change()
      await kb.read(folderSource(root))
      const scratch = new TestKnowledge()
      await scratch.read(folderSource(root))
      expect(kb.content()).toEqual(scratch.content())
      for (const query of ['boat motor', 'wind', '会議', 'sail oil']) {
        const found = (base: TestKnowledge) => base.find(query).map(({ id, position }) => [id, position])
        expect(found(kb)).toEqual(found(scratch))
      }
    }
  },
)
