// Random trees, random destructive commands in a real shell, and the whole tree back again, judged by `find`, `stat` and `sha256sum`.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreOutcome } from './restore-files.ts'
import { bash, cursorAt, difference, manifestOf, openBench } from './test-checkpoints.ts'

const names = [
  'a',
  'b.txt',
  'src',
  'ä ö',
  'line\nbreak',
  '-dash',
  "it's",
  'ignored.log',
  '.hidden',
  'node_modules',
  'data.bin',
  '日本',
  '*star',
  '$HOME',
  '.gitignore',
]
const name = fc.constantFrom(...names)
const path = fc.array(name, { minLength: 1, maxLength: 3 })
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o400)
const content = fc.oneof(
  fc.string({ maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.alloc(0)),
  fc.constant(Buffer.alloc(200_000)),
  fc.constant(Buffer.from('*.log\n')),
)
const entry = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('file' as const), path, mode, content }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('link' as const),
      path,
      to: fc.constantFrom('a', '../b.txt', '/etc/hostname', 'nowhere', '.'),
    }),
  },
)
type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never

const identity = '-c user.name=T -c user.email=t@example.org'
const repositories = {
  none: '',
  plain: `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty`,
  'without identity': 'git init -q . && git add -A',
  'dirty index': `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty && echo more > staged && git add staged && echo again >> staged`,
  detached: `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty && git checkout -q --detach`,
  nested: `git init -q . && mkdir -p inner && (cd inner && git init -q . && echo x > x && git add x && git ${identity} commit -qm inner) && git add -A 2>/dev/null; git ${identity} commit -qm one --allow-empty`,
  submodule: `mkdir -p ../lib && (cd ../lib && git init -q . && echo l > l && git add l && git ${identity} commit -qm lib --allow-empty); git init -q . && git -c protocol.file.allow=always submodule --quiet add ../lib sub; git ${identity} commit -qm one --allow-empty`,
}

const commands = [
  'rm -rf ./* ./.[!.]*',
  'rm -rf "$PWD"',
  'rm -rf src a node_modules',
  'git clean -fdx',
  'git clean -ffdx',
  'git reset --hard',
  'git stash -u',
  'git rm -rqf . ; rm -f .gitignore; git clean -fdx',
  `git add -A && git ${identity} commit -qm more && git gc -q`,
  'mv src moved; mv a b.txt; mv b.txt src',
  "find . -type f -not -path './.git/*' -exec sed -i 's/a/bb/g' {} +",
  'find . -type f -exec truncate -s 3 {} +',
  'chmod -R 000 .',
  'chmod -R 777 .',
  'find . -mindepth 1 -delete',
  'find . -type f -print0 | while IFS= read -r -d "" f; do : > "$f"; done',
  'for d in *; do rm -rf -- "$d"; ln -sf /etc "$d"; done',
  'for d in *; do rm -rf -- "$d"; mkdir -p -- "$d/deep/er"; echo new > "$d/deep/er/file"; done',
  'for d in *; do [ -d "$d" ] && rm -rf -- "$d" && echo file > "$d"; done; touch new; mkdir -p n/e/w',
  'tar cf all.tar --exclude=all.tar . ; find . -mindepth 1 -not -name all.tar -delete',
  `python3 -c "
import os,random
random.seed(7)
for folder,_,files in os.walk('.'):
    for f in files:
        p=os.path.join(folder,f)
        r=random.random()
        if r<.3: os.remove(p)
        elif r<.6 and not os.path.islink(p): open(p,'ab').write(b'x'*random.randint(1,5000))
        elif r<.8: os.rename(p,p+'.bak')
"`,
]

test.each(Object.keys(repositories) as (keyof typeof repositories)[])(
  'any tree comes back after any command, and the restore can be undone: %s',
  { timeout: 120_000 },
  async (repository) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 20 }),
        fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 3 }),
        async (entries, chosen) => {
          const bench = openBench()
          try {
            const { checkpoints, work } = bench
            for (const one of entries) plant(work, one)
            bash(repositories[repository], work)
            const before = manifestOf(work)
            const ids: string[] = []
            for (const command of chosen) {
              mkdirSync(work, { recursive: true })
              ids.push(await bench.shell(command))
            }
            const after = seen(work)
            const first = String(ids[0])
            const restored = await checkpoints.restore(first, 'stop', cursorAt(9, work))
            expect([failureOf(restored), difference(before, seen(work))]).toEqual([null, same])
            if (restored.outcome !== 'restored') return
            const undone = await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
            expect([failureOf(undone), difference(after, seen(work))]).toEqual([null, same])
          } finally {
            await bench.close()
          }
        },
      ),
      { numRuns: Number(process.env.MODEL_RUNS ?? 5), endOnFailure: true },
    )
  },
)

const turn = fc.record({
  who: fc.constantFrom('run' as const, 'person' as const),
  act: fc.constantFrom('write' as const, 'remove' as const),
  path: fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a'),
})

test('whatever a run and a person do in turns, nothing a person wrote last is lost, and an insisted restore can be undone', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 2, maxLength: 8 }),
      fc.constantFrom('keep' as const, 'overwrite' as const),
      async (turns, choice) => {
        const bench = openBench()
        try {
          const { checkpoints, work } = bench
          bash('mkdir -p d/e; echo original > a; echo original > d/a', work)
          const persons = new Map<string, string>()
          const first = await bench.shell('true')
          for (const [no, { who, act, path }] of turns.entries()) {
            const command = act === 'write' ? `mkdir -p "$(dirname ${path})"; echo ${who}-${no} > ${path}` : `rm -f ${path}`
            persons.delete(path)
            if (who === 'run') await bench.shell(command)
            else bash(command, work)
            if (who === 'person' && act === 'write') persons.set(path, `person-${no}\n`)
          }
          const before = manifestOf(work)
          const restored = await checkpoints.restore(first, choice, cursorAt(9, work))
          expect(failureOf(restored)).toBe(null)
          if (choice === 'keep') {
            const lost = [...persons].filter(
              ([path, text]) => !existsSync(join(work, path)) || readFileSync(join(work, path), 'utf8') !== text,
            )
            expect(lost).toEqual([])
          }
          if (restored.outcome !== 'restored') return
          await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
          expect(difference(before, manifestOf(work))).toEqual(same)
        } finally {
          await bench.close()
        }
      },
    ),
    { numRuns: Number(process.env.MODEL_RUNS ?? 10), endOnFailure: true },
  )
})

const same = { missing: [], surplus: [] }

function seen(work: string): string[] {
  return existsSync(work) ? manifestOf(work) : []
}

function failureOf(outcome: RestoreOutcome): unknown {
  return outcome.outcome === 'restored'
    ? null
    : { message: outcome.failure_contract.details.message, conflicts: outcome.conflicts.slice(0, 5) }
}

function plant(work: string, one: Entry): void {
  const target = join(work, ...one.path)
  try {
    mkdirSync(one.type === 'folder' ? target : dirname(target), { recursive: true })
    if (one.type === 'file') {
      writeFileSync(target, one.content)
      chmodSync(target, one.mode)
    }
    if (one.type === 'link') symlinkSync(one.to, target)
  } catch {
    // A name that another entry took already for something else: the tree is what came first.
  }
}
