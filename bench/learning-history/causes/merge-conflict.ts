// Two branches changed the same line, and the conflict is not resolved.
import type { Action } from '../action.ts'
import type { Cause, Scene, SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

interface Diverged {
  readonly file: string
  readonly branch: string
}

/** `main` and a branch that changed the same line; `main` is checked out. */
function diverge(world: World, file: string, line: (value: number) => string, rest: string): Diverged {
  const branch = world.name('branches')
  const write = (value: number) => world.files({ [file]: `${line(value)}${rest}` })
  write(10)
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  write(world.random.integer(20, 49))
  world.commit(world.say('Raise the limit', 'Grenze anheben'))
  world.setup('git switch -q main')
  write(world.random.integer(50, 99))
  world.commit(world.say('Another limit', 'Andere Grenze'))
  return { file, branch }
}

function afterwards(file: string): Action[] {
  if (file.endsWith('.py')) return [`python3 ${file}`, 'python3 -m compileall -q .']
  return file.endsWith('.json') ? [`node -e "require('./${file}')"`, 'npm run build'] : [`node ${file}`, 'npm test']
}

const javascript = (world: World) => {
  const name = world.name('files')
  world.files({ 'package.json': JSON.stringify({ name: world.project, scripts: { test: `node src/${name}.js` } }) })
  return diverge(world, `src/${name}.js`, (value) => `const limit = ${value}\n`, `\nconsole.log('limit', limit)\n`)
}

const python = (world: World) => diverge(world, `${world.name('files')}.py`, (value) => `LIMIT = ${value}\n`, '\nprint("limit", LIMIT)\n')

const resolution = (file: string, command: string): Action[] => [
  `git checkout --theirs ${file} && git add ${file}`,
  command,
  'git status --short',
]

const merging: SceneMaker = (world) => {
  const { file, branch } = world.random.chance(0.6) ? javascript(world) : python(world)
  return {
    name: 'merge',
    request: world.say(
      `Merge ${branch} into main and check that it still runs.`,
      `Führe ${branch} mit main zusammen und prüfe, ob noch alles läuft.`,
    ),
    doors: [`git merge ${branch}`, `git merge --no-ff -m "Merge ${branch}" ${branch}`, `git merge --no-edit ${branch}`],
    after: [`git commit -m "${world.say('Merge', 'Zusammenführen')} ${branch}"`, ...afterwards(file), `git switch ${branch}`],
    repair: resolution(file, 'git commit --no-edit'),
    done: world.say('Merged; I took the lines of the branch.', 'Zusammengeführt, mit den Zeilen des Branches.'),
  }
}

const pulling: SceneMaker = (world) => {
  const { file, branch } = javascript(world)
  world.setup(
    `git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git --git-dir=../origin.git branch -f main ${branch} && git fetch -q origin && git branch -q -u origin/main main`,
  )
  return {
    name: 'pull',
    request: world.say(
      'Get the latest changes from origin, test them and push.',
      'Hol die neuesten Änderungen von origin, teste sie und schiebe sie hoch.',
    ),
    doors: ['git pull', 'git pull --no-rebase origin main', 'git fetch origin && git merge origin/main'],
    after: ['git push', 'git pull', ...afterwards(file), `git commit -m "${world.say('Update', 'Aktualisierung')}"`],
    repair: [...resolution(file, 'git commit --no-edit'), 'npm test'],
    done: world.say('The changes are in and the tests pass.', 'Die Änderungen sind drin, die Tests laufen.'),
  }
}

/** The conflict was there before the run. */
function left(
  name: string,
  world: World,
  { file, branch }: Diverged,
  doors: readonly Action[],
  after: readonly Action[],
  request: string,
): Scene {
  world.setup(`git merge ${branch} > /dev/null || true`)
  return {
    name,
    request,
    doors,
    after,
    repair: resolution(file, 'git commit --no-edit'),
    done: world.say(
      'The old merge was still open; it is finished now.',
      'Eine alte Zusammenführung war noch offen, sie ist jetzt abgeschlossen.',
    ),
  }
}

const leftBehind: SceneMaker = (world) => {
  const there = javascript(world)
  return left(
    'left-in-javascript',
    world,
    there,
    [
      `git commit -m "${world.say('Tidy up', 'Aufräumen')}"`,
      `git switch ${there.branch}`,
      'npm test',
      `node ${there.file}`,
      `git merge ${there.branch}`,
    ],
    [`git switch ${there.branch}`, `git rebase ${there.branch}`],
    world.say('Commit what is open and switch to the other branch.', 'Committe, was offen ist, und wechsle auf den anderen Branch.'),
  )
}

const rebasing: SceneMaker = (world) => {
  const { file, branch } = world.random.chance(0.5) ? python(world) : javascript(world)
  return {
    name: 'rebase',
    request: world.say(`Put ${branch} on top of main.`, `Setze ${branch} auf den Stand von main auf.`),
    before: [`git switch ${branch}`],
    doors: ['git rebase main', 'git pull --rebase . main'],
    after: ['git rebase --continue', ...afterwards(file), 'git switch main'],
    repair: [`git checkout --theirs ${file} && git add ${file}`, 'GIT_EDITOR=true git rebase --continue', 'git log --oneline -3'],
    done: world.say('The branch is on top of main.', 'Der Branch sitzt auf main auf.'),
  }
}

const picking: SceneMaker = (world) => {
  const { file, branch } = python(world)
  return {
    name: 'cherry-pick',
    request: world.say(`Take the last commit of ${branch} over to main.`, `Übernimm den letzten Commit von ${branch} nach main.`),
    doors: [`git cherry-pick ${branch}`, `git cherry-pick -x $(git rev-parse ${branch})`],
    after: [`python3 ${file}`, 'git cherry-pick --continue', 'git stash', `git switch ${branch}`],
    repair: [`git checkout --theirs ${file} && git add ${file}`, 'git -c core.editor=true cherry-pick --continue', `python3 ${file}`],
    done: world.say('The commit is on main.', 'Der Commit ist auf main.'),
  }
}

const stashing: SceneMaker = (world) => {
  const { file, branch } = world.random.chance(0.5) ? python(world) : javascript(world)
  world.setup(`git switch -q ${branch} && sed -i '1s/[0-9]\\+/7/' ${file} && git stash -q && git switch -q main`)
  return {
    name: 'stash',
    request: world.say(
      'Bring back what I stashed yesterday and commit it.',
      'Hol zurück, was ich gestern beiseitegelegt habe, und committe es.',
    ),
    doors: ['git stash pop', 'git stash apply', "git stash pop 'stash@{0}'"],
    after: [`git commit -m "${world.say('Restore', 'Wiederherstellen')}"`, ...afterwards(file), `git switch ${branch}`],
    repair: [`git checkout --theirs ${file} && git add ${file}`, `git commit -m "${world.say('Bring back', 'Zurückholen')}"`],
    done: world.say('It is committed.', 'Es ist committet.'),
  }
}

const manifest: SceneMaker = (world) => {
  const there = diverge(
    world,
    'package.json',
    (value) => `{\n  "name": "${world.project.toLowerCase()}",\n  "version": "1.${value}.0",\n`,
    '  "scripts": { "build": "node --version" }\n}\n',
  )
  return left(
    'left-in-manifest',
    world,
    there,
    ['npm run build', 'npm install --offline', 'npm pack', 'npm version patch', `git revert --no-edit HEAD`],
    [`git commit -m "${world.say('Release', 'Ausgabe')}"`, `ls ${world.project}-*.tgz`],
    world.say('Build the package and pack it.', 'Baue das Paket und packe es.'),
  )
}

const leftInPython: SceneMaker = (world) => {
  const there = python(world)
  return left(
    'left-in-python',
    world,
    there,
    [
      `python3 ${there.file}`,
      `python3 -m py_compile ${there.file}`,
      `git cherry-pick ${there.branch}`,
      'git stash',
      `git checkout ${there.branch}`,
    ],
    [`python3 ${there.file} | sort > limits.txt && test -s limits.txt`, 'git pull'],
    world.say(
      `Run ${there.file} and keep what it prints in limits.txt.`,
      `Führe ${there.file} aus und speichere die Ausgabe in limits.txt.`,
    ),
  )
}

export const mergeConflict: Cause = {
  tuning: [merging, pulling, leftBehind],
  'held-out': [rebasing, picking, stashing, manifest, leftInPython],
}
