// Branches of a team that touched the same lines, and what is left of a merge.
import type { World } from '../world.ts'
import type { DayMaker, DayScene } from './day.ts'
import { nodeTools, python } from './tools.ts'

/** `main` and a branch that changed the same lines of the same files; `main` is checked out. */
function diverge(world: World, files: (value: number, side: string) => Readonly<Record<string, string>>): string {
  const branch = world.name('branches')
  world.files(files(30, 'base'))
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  world.files(files(world.random.integer(31, 59), world.say('Cart', 'Warenkorb')))
  world.commit(world.say('Rework the cart', 'Warenkorb überarbeiten'))
  world.setup('git switch -q main')
  world.files(files(world.random.integer(60, 99), world.say('Basket', 'Korb')))
  world.commit(world.say('Rename to basket', 'Umbenennen'))
  return branch
}

const source = (world: World) => {
  const file = `src/${world.name('files')}.js`
  world.files({ 'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { test: `node ${file}` } }) })
  const branch = diverge(world, (value, side) => ({
    [file]: `export const title = '${side}'\nexport const limit = ${value}\n\nconsole.log(title, limit)\n`,
    'CHANGELOG.md': `## ${value}\n\n- ${side}\n`,
  }))
  return { file, branch }
}

const shared = (world: World, file: string): Pick<DayScene, 'looks' | 'tries'> => ({
  looks: ['git status', 'git diff --name-only --diff-filter=U', { read: file }, 'git log --oneline --graph --all -8'],
  tries: [
    ['git add -A --dry-run', `git diff --check`],
    [{ edit: file, old: '=======\n', new: '' }, `git diff --check`],
    ['git mergetool --no-prompt --tool=none'],
    [`git commit -m "${world.say('Resolve', 'Auflösen')}"`],
    ['git stash'],
  ],
})

const ours = (file: string) => `git checkout --ours ${file} CHANGELOG.md && git add ${file} CHANGELOG.md`

const updateBranch: DayMaker = (world) => {
  const { file, branch } = source(world)
  world.setup(
    `git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git fetch -q && git switch -q ${branch} && git branch -q -u origin/main`,
  )
  return {
    name: 'update-branch',
    request: world.say(
      `My pull request is behind. Bring ${branch} up to date and test it.`,
      `Mein Pull Request hinkt hinterher. Bring ${branch} auf den neuesten Stand und teste ihn.`,
    ),
    doors: ['git merge origin/main', 'git pull origin main', 'git pull', 'git merge main'],
    ...shared(world, file),
    after: ['npm test', 'git push origin HEAD', 'git switch main'],
    repair: [ours(file), 'git commit --no-edit', 'npm test'],
    done: world.say('The branch is up to date.', 'Der Branch ist aktuell.'),
  }
}

const rebase: DayMaker = (world) => {
  const { file, branch } = source(world)
  world.setup(
    `git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git fetch -q && git switch -q ${branch} && git branch -q -u origin/main`,
  )
  return {
    name: 'rebase-request',
    request: world.say(
      'The reviewer wants a linear history. Rebase my branch.',
      'Der Reviewer möchte eine lineare Historie. Rebase meinen Branch.',
    ),
    doors: ['git rebase origin/main', 'git pull --rebase', 'git rebase main', 'git fetch && git rebase --autostash origin/main'],
    ...shared(world, file),
    after: ['git rebase --continue', 'npm test', 'git push --force-with-lease origin HEAD'],
    repair: [ours(file), 'GIT_EDITOR=true git rebase --continue', 'npm test'],
    done: world.say('Rebased.', 'Der Rebase ist fertig.'),
  }
}

const hotfix: DayMaker = (world) => {
  const { file, branch } = source(world)
  return {
    name: 'hotfix-pick',
    request: world.say(
      `Take the fix from ${branch} over to main for the hotfix.`,
      `Übernimm den Fix aus ${branch} für den Hotfix nach main.`,
    ),
    doors: [
      `git cherry-pick ${branch}`,
      `git cherry-pick -x ${branch}`,
      `git cherry-pick --no-commit ${branch}`,
      `git merge --squash ${branch}`,
    ],
    ...shared(world, file),
    after: ['git cherry-pick --continue', 'npm test', 'git push origin main'],
    repair: [`git checkout --theirs ${file} CHANGELOG.md && git add ${file} CHANGELOG.md`, 'git commit -qm hotfix', 'npm test'],
    done: world.say('The fix is on main.', 'Der Fix ist auf main.'),
  }
}

const lunchStash: DayMaker = (world) => {
  const { file } = source(world)
  world.setup(`git switch -qc wip HEAD~1 && sed -i 's/= 30/= 12/' ${file} && git stash -q && git switch -q main`)
  return {
    name: 'lunch-stash',
    request: world.say(
      'I stashed my changes before lunch. Get them back and run the tests.',
      'Ich habe meine Änderungen vor dem Mittag gestasht. Hol sie zurück und teste.',
    ),
    doors: ['git stash pop', 'git stash apply', 'git stash apply --index 0'],
    ...shared(world, file),
    after: ['npm test', 'git stash drop && git stash pop', 'git switch wip'],
    repair: [`git checkout --theirs ${file} && git add ${file}`, 'npm test'],
    done: world.say('Your changes are back.', 'Deine Änderungen sind zurück.'),
  }
}

const halfMerged: DayMaker = (world) => {
  const { file, branch } = source(world)
  world.setup(`git merge ${branch} > /dev/null || true`)
  return {
    name: 'half-merged',
    request: world.say('Commit my work and get the newest state.', 'Committe meine Arbeit und hol den neuesten Stand.'),
    doors: [`git commit -m "${world.say('Work', 'Arbeit')}"`, 'git pull', `git checkout ${branch}`, `git merge ${branch}`],
    ...shared(world, file),
    after: ['npm test', `git switch ${branch}`, 'git rebase main'],
    repair: [ours(file), 'git commit --no-edit', 'npm test'],
    done: world.say('Committed; a merge had been left open.', 'Committet, ein Merge war offen geblieben.'),
  }
}

const markers: DayMaker = (world) => {
  const name = world.name('files')
  nodeTools(world, ['typescript', 'vitest'])
  python(world, ['pytest'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { build: `tsc --noEmit --target es2022 --types '' src/${name}.ts`, test: 'vitest run' },
    }),
    [`src/${name}.test.ts`]: `import { expect, test } from 'vitest'\nimport { limit } from './${name}.ts'\n\ntest('limit', () => expect(limit).toBeGreaterThan(1))\n`,
    [`test_${name}.py`]: `from ${name} import LIMIT\n\n\ndef test_limit():\n    assert LIMIT > 1\n`,
    '.gitignore': 'node_modules\n.venv\n',
  })
  const branch = diverge(world, (value, side) => ({
    [`src/${name}.ts`]: `export const title: string = '${side}'\nexport const limit: number = ${value}\n`,
    [`${name}.py`]: `LIMIT = ${value}\n`,
    'CHANGELOG.md': `## ${value}\n`,
  }))
  world.setup(`git merge ${branch} > /dev/null || true`)
  const file = `src/${name}.ts`
  return {
    name: 'markers-in-source',
    request: world.say(
      'The build broke after the merge. Make it work and run the tests.',
      'Nach dem Merge ist der Build kaputt. Bring ihn zum Laufen und teste.',
    ),
    doors: ['npm run build', `pytest -q test_${name}.py`, 'npm test', `node ${file}`],
    looks: [{ read: file }, 'git status --short', { read: `${name}.py` }],
    tries: [
      [{ edit: file, old: '<<<<<<< HEAD\n', new: '' }, 'npm run build'],
      ['npx tsc --version', 'npm run build -- --pretty'],
      ['git stash'],
      [`git commit -am "${world.say('Fix build', 'Build reparieren')}" --dry-run > /dev/null; git switch ${branch}`],
    ],
    after: ['git push', 'git merge --continue', `python ${name}.py`],
    repair: [`git checkout --theirs . && git add -u`, 'git commit -q --no-edit', 'npm run build'],
    done: world.say('The markers are gone and it builds.', 'Die Marken sind weg, es baut.'),
  }
}

const otherKinds: DayMaker = (world) => {
  const [branch, file] = [world.name('branches'), `src/${world.name('files')}.css`]
  world.files({ [file]: 'a { color: red }\nb { color: red }\n', 'public/logo.bin': 'a\u0000b\n' })
  world.commit()
  world.setup(
    `git switch -qc ${branch} && echo 'c { }' >> ${file} && printf 'a\\0c\\n' > public/logo.bin && git commit -qam style && git switch -q main && git rm -q ${file} && printf 'a\\0d\\n' > public/logo.bin && git commit -qam cleanup`,
  )
  return {
    name: 'deleted-elsewhere',
    request: world.say(`Merge ${branch} so that we can release.`, `Merge ${branch}, damit wir ausliefern können.`),
    doors: [`git merge ${branch}`, `git merge --no-ff --no-edit ${branch}`, `git rebase ${branch}`, `git cherry-pick ${branch}`],
    looks: ['git status', 'git ls-files -u', `git log --oneline ${branch} -3`],
    tries: [
      [`git checkout --theirs public/logo.bin`, `git commit -m "${world.say('Logo', 'Logo')}"`],
      [`git diff --check && git commit --no-edit`],
      [`git merge ${branch}`],
    ],
    after: ['git tag -a v1 -m v1 && git merge --continue', 'git switch -c release', 'git pull'],
    repair: [
      `git checkout -f -q main 2> /dev/null || git merge --abort; git reset -q --hard`,
      `git merge -q -X theirs ${branch} > /dev/null; git rm -q ${file}; git commit -qm merge`,
      'git status --short',
    ],
    done: world.say('Merged; the deleted file stays deleted.', 'Gemergt, die gelöschte Datei bleibt gelöscht.'),
  }
}

export const mergeConflict: readonly DayMaker[] = [updateBranch, rebase, markers, halfMerged, hotfix, lunchStash, otherKinds]
