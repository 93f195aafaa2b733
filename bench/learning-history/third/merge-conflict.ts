// Conflicts of reverting, patching, squashing and editing the history, and what they leave in files.
import type { Action } from '../action.ts'
import type { SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

/** Three commits on `main` that change the same line. */
function threeCommits(world: World, file: string): void {
  const values = [world.random.integer(5, 9), world.random.integer(20, 49), world.random.integer(60, 99)]
  const messages = [undefined, world.say('Larger batches', 'Größere Stapel'), world.say('Even larger batches', 'Noch größere Stapel')]
  for (const [at, value] of values.entries()) {
    world.files({ [file]: `batch: ${value}\nretries: 2\n` })
    world.commit(messages[at])
  }
}

/** `main` and a branch that changed the same lines of the same files; `main` is checked out. */
function diverge(world: World, files: (value: number) => Readonly<Record<string, string>>): string {
  const branch = world.name('branches')
  world.files(files(8))
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  world.files(files(world.random.integer(10, 40)))
  world.commit(world.say('New default', 'Neuer Standardwert'))
  world.setup('git switch -q main')
  world.files(files(world.random.integer(50, 90)))
  world.commit(world.say('Agreed default', 'Abgestimmter Standardwert'))
  return branch
}

const yaml = (file: string): Action => `python3 -c "import yaml; print(yaml.safe_load(open('${file}')))"`

const reverting: SceneMaker = (world) => {
  const file = `config/${world.name('files')}.yaml`
  threeCommits(world, file)
  return {
    name: 'revert',
    request: world.say(
      'The commit before last made the imports slow. Take it back, but keep the newest one.',
      'Der vorletzte Commit hat die Importe verlangsamt. Nimm ihn zurück, aber lass den neuesten stehen.',
    ),
    doors: [
      'git revert --no-edit HEAD~1',
      'git revert -n HEAD~1',
      `git revert --no-edit $(git rev-parse HEAD~1)`,
      'git show HEAD~1 | git apply -R --3way',
    ],
    after: [yaml(file), `git commit -m "${world.say('Undo', 'Rückgängig')}"`, 'git revert --continue', 'git switch -c undo-batch'],
    repair: [
      `git checkout --theirs ${file} && git add ${file}`,
      `git commit -qm "${world.say('Smaller batches', 'Kleinere Stapel')}"`,
      yaml(file),
    ],
    done: world.say('Taken back, with the smaller batch size.', 'Zurückgenommen, mit der kleineren Stapelgröße.'),
  }
}

const mailing: SceneMaker = (world) => {
  const name = world.name('files')
  const file = `src/${name}.c`
  const branch = diverge(world, (value) => ({
    [file]: `#include <stdio.h>\n\n#define WIDTH ${value}\n\nint main(void) {\n  printf("%d\\n", WIDTH);\n  return 0;\n}\n`,
    Makefile: `${name}: ${file}\n\tgcc -Wall -o ${name} ${file}\n`,
  }))
  world.setup(`git format-patch -q -1 ${branch} -o ../patches --start-number 1 && mv ../patches/*.patch ../patches/0001-width.patch`)
  return {
    name: 'mail-patch',
    request: world.say(
      'A colleague mailed me ../patches/0001-width.patch. Apply it and build.',
      'Eine Kollegin hat mir ../patches/0001-width.patch geschickt. Wende ihn an und baue.',
    ),
    doors: [
      'git am -3 ../patches/0001-width.patch',
      'git am ../patches/0001-width.patch',
      'git apply --3way ../patches/0001-width.patch',
      'patch --merge -p1 -i ../patches/0001-width.patch',
    ],
    after: ['git am --continue', 'make', `./${name}`, `git switch ${branch}`],
    repair: ['git am --abort 2> /dev/null; git reset -q --hard', `git merge -q --no-edit -X theirs ${branch}`, 'make'],
    done: world.say('I merged the branch behind the patch instead.', 'Ich habe stattdessen den Branch hinter dem Patch übernommen.'),
  }
}

const bothAdded: SceneMaker = (world) => {
  const [branch, file] = [world.name('branches'), world.random.pick(['compose.yaml', 'ci.yaml', 'deploy.yaml'])]
  const service = (port: number) => `services:\n  ${world.name('files')}:\n    port: ${port}\n`
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  world.files({ [file]: service(world.random.integer(3000, 3999)) })
  world.commit(world.say('Describe the services', 'Dienste beschreiben'))
  world.setup('git switch -q main')
  world.files({ [file]: service(world.random.integer(8000, 8999)) })
  world.commit(world.say('Add the services', 'Dienste ergänzen'))
  return {
    name: 'both-added',
    request: world.say(
      `Squash ${branch} into one commit on main and check ${file}.`,
      `Fasse ${branch} zu einem Commit auf main zusammen und prüfe ${file}.`,
    ),
    doors: [
      `git merge --squash ${branch}`,
      `git merge --no-commit --no-ff ${branch}`,
      `git pull --squash . ${branch}`,
      `git merge -q -s ort ${branch}`,
    ],
    after: [
      `git commit -m "${world.say('Services', 'Dienste')}"`,
      yaml(file),
      'git merge --continue',
      `git show HEAD:${file} | diff - ${file}`,
    ],
    repair: [`git checkout --theirs ${file} && git add ${file}`, `git commit -qm "${world.say('Services', 'Dienste')}"`, yaml(file)],
    done: world.say(`One commit, with ${file} of the branch.`, `Ein Commit, mit ${file} aus dem Branch.`),
  }
}

const editingHistory: SceneMaker = (world) => {
  const file = `settings/${world.name('files')}.yaml`
  threeCommits(world, file)
  return {
    name: 'history',
    request: world.say('Remove the middle commit from the history of main.', 'Entferne den mittleren Commit aus der Historie von main.'),
    doors: [
      'git rebase --onto HEAD~2 HEAD~1',
      "git -c sequence.editor='sed -i 1d' rebase -i HEAD~2",
      "git -c sequence.editor='sed -i 1s/pick/drop/' rebase --interactive HEAD~2",
      'git rebase --no-autostash --onto HEAD~2 HEAD~1 main',
    ],
    after: ['GIT_EDITOR=true git rebase --continue', yaml(file), 'git switch main', 'git commit --amend --no-edit'],
    repair: ['git rebase --abort', 'git revert --no-edit -X theirs HEAD~1', yaml(file)],
    done: world.say('I reverted it instead of removing it.', 'Ich habe ihn rückgängig gemacht, statt ihn zu entfernen.'),
  }
}

const leftInBuild: SceneMaker = (world) => {
  const name = world.name('files')
  const branch = diverge(world, (value) => ({
    Makefile: `LEVEL = ${value}\n\n${name}: src/${name}.c\n\tgcc -DLEVEL=$(LEVEL) -o ${name} src/${name}.c\n`,
    [`src/${name}.c`]: `static const int rows = ${value};\n\nint main(void) { return rows > 0 ? 0 : 1; }\n`,
    'src/Report.java': `class Report {\n  static final int ROWS = ${value};\n\n  public static void main(String[] given) {\n    System.out.println(ROWS);\n  }\n}\n`,
  }))
  world.setup(`git merge ${branch} > /dev/null || true`)
  return {
    name: 'left-in-build',
    request: world.say(`Build ${name} and run it once.`, `Baue ${name} und starte es einmal.`),
    doors: ['make', `gcc -Wall -c src/${name}.c -o ${name}.o`, 'java src/Report.java', 'git diff --check', 'git merge --continue'],
    after: [`./${name}`, `git commit -m "${world.say('Build', 'Build')}"`, `git switch ${branch}`, `git pull`],
    repair: ['git checkout --ours Makefile src && git add -u', 'git commit --no-edit', 'make'],
    done: world.say('A merge was still open; I kept our lines.', 'Ein Merge war noch offen, ich habe unsere Zeilen behalten.'),
  }
}

const leftInSettings: SceneMaker = (world) => {
  const name = world.name('files')
  const branch = diverge(world, (value) => ({
    'settings.json': `{\n  "limit": ${value},\n  "name": "${world.project}"\n}\n`,
    'requirements.txt': `tariff==1.${value}\n`,
    'deploy.sh': `#!/bin/bash\nLIMIT=${value}\necho "${world.say('deployed with', 'ausgeliefert mit')} $LIMIT"\n`,
    'schema.sql': `create table ${name} (id integer, amount integer default ${value});\n`,
  }))
  world.setup(`git merge ${branch} > /dev/null || true`)
  return {
    name: 'left-in-settings',
    request: world.say('Set up the database and deploy.', 'Richte die Datenbank ein und liefere aus.'),
    doors: [
      'bash deploy.sh',
      'jq .limit settings.json',
      '/usr/bin/python3 -m pip --disable-pip-version-check install --no-index --target site -r requirements.txt',
      `sqlite3 -bail ${name}.db < schema.sql`,
      'python3 -m json.tool settings.json',
    ],
    after: [`sqlite3 ${name}.db 'select count(*) from ${name}'`, 'git stash', `git switch ${branch}`, `git commit -m deploy`],
    repair: ['git checkout --theirs . && git add -u', 'git commit --no-edit', 'bash deploy.sh'],
    done: world.say('Deployed after I finished the merge.', 'Ausgeliefert, nachdem ich den Merge abgeschlossen hatte.'),
  }
}

export const mergeConflict: readonly SceneMaker[] = [reverting, mailing, bothAdded, editingHistory, leftInBuild, leftInSettings]
