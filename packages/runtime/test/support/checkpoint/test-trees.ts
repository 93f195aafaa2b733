// Random trees and the commands that destroy them.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { RestoreOutcome } from '../../../src/checkpoint/restore/restore-files.ts'
import { bash, manifestOf } from './test-checkpoints.ts'
import type { TreeStates } from './test-history-model.ts'

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
export const entry = fc.oneof(
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
export const repositories = {
  none: '',
  // Larger than any content that is stored if there are many files, and without repetition.
  'none, with a huge file': 'head -c 8000000 /dev/urandom > huge',
  plain: `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty`,
  'without identity': 'git init -q . && git add -A',
  'dirty index': `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty && echo more > staged && git add staged && echo again >> staged`,
  detached: `git init -q . && git add -A && git ${identity} commit -qm one --allow-empty && git checkout -q --detach`,
  nested: `git init -q . && mkdir -p inner && (cd inner && git init -q . && echo x > x && git add x && git ${identity} commit -qm inner) && git add -A 2>/dev/null; git ${identity} commit -qm one --allow-empty`,
  submodule: `mkdir -p ../lib && (cd ../lib && git init -q . && echo l > l && git add l && git ${identity} commit -qm lib --allow-empty); git init -q . && git -c protocol.file.allow=always submodule --quiet add ../lib sub; git ${identity} commit -qm one --allow-empty`,
}

export const commands = [
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

export function createTree(work: string, one: Entry): void {
  const target = join(work, ...one.path)
  try {
    mkdirSync(one.type === 'folder' ? target : dirname(target), { recursive: true })
    if (one.type === 'file') {
      writeFileSync(target, one.content)
      chmodSync(target, one.mode)
    }
    if (one.type === 'link') symlinkSync(one.to, target)
  } catch {
    // A name that another entry already uses for something else: the first one counts.
  }
}

export const same = { missing: [], surplus: [] }

export function observedTree(work: string): string[] {
  return existsSync(work) ? manifestOf(work) : []
}

export function failureOf(outcome: RestoreOutcome): unknown {
  return outcome.outcome === 'restored'
    ? null
    : { message: outcome.failure_contract.details.message, conflicts: outcome.conflicts.slice(0, 5) }
}

/** Type, mode, link target and hash by path. */
export function statesOf(work: string): TreeStates {
  const states = new Map<string, string>()
  if (!existsSync(work)) return states
  const outline = bash(String.raw`find . -printf '%y %m %l\0%P\0'`, work).split('\0')
  for (let index = 0; index + 1 < outline.length; index += 2) states.set(outline[index + 1] ?? '', outline[index] ?? '')
  for (const line of bash('find . -type f -print0 | xargs -0r sha256sum -z', work).split('\0').filter(Boolean)) {
    const path = line.slice(68)
    states.set(path, `${states.get(path)} ${line.slice(0, 64)}`)
  }
  return states
}
