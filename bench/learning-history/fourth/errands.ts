// Runs of the fourth without a planted cause.
import type { ErrandMaker } from '../scene.ts'
import { nodeTools, python } from './tools.ts'

export const fourthErrands: readonly ErrandMaker[] = [
  (world) => {
    const [file, limit] = [world.name('files'), world.random.integer(10, 90)]
    nodeTools(world, ['typescript'])
    world.files({
      [`src/${file}.ts`]: `export const limit = ${limit}\nexport const double = (value: number): number => value * 2\n`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext' },
        include: ['src'],
      }),
      'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { typecheck: 'tsc' } }),
    })
    world.commit()
    return {
      name: 'type-slip',
      request: world.say(`Add a label with the limit to src/${file}.ts.`, `Ergänze in src/${file}.ts eine Beschriftung mit der Grenze.`),
      actions: [
        { edit: `src/${file}.ts`, old: 'export const double', new: "export const label: number = 'max ' + limit\nexport const double" },
        'npm run typecheck',
        { edit: `src/${file}.ts`, old: 'label: number', new: 'label: string' },
        'npm run typecheck',
      ],
      done: world.say('The label is there and the types are right.', 'Die Beschriftung ist da, die Typen stimmen.'),
    }
  },
  (world) => {
    const file = world.name('files')
    python(world, ['pytest'])
    world.files({
      [`${file}.py`]: 'def slug(text):\n    return text.lower().replace(" ", "-")\n',
      [`tests/test_${file}.py`]: `from ${file} import slug\n\n\ndef test_slug():\n    assert slug("New Item") == "new-item"\n`,
      'conftest.py': '',
    })
    world.commit()
    return {
      name: 'new-test',
      request: world.say('Write a test for umlauts in slugs.', 'Schreib einen Test für Umlaute in Slugs.'),
      actions: [
        'pytest -q',
        {
          write: `tests/test_umlaut.py`,
          content: `from ${file} import slugs\n\n\ndef test_umlaut():\n    assert slugs("Grüne Äpfel") == "grüne-äpfel"\n`,
        },
        'pytest -q tests/test_umlaut.py',
        {
          write: `tests/test_umlaut.py`,
          content: `from ${file} import slug\n\n\ndef test_umlaut():\n    assert slug("Grüne Äpfel") == "grüne-äpfel"\n`,
        },
        'pytest -q',
      ],
      done: world.say('Two tests pass.', 'Zwei Tests laufen durch.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({ [`src/${file}.js`]: `export function ${file}Total(items) {\n  return items.length\n}\n` })
    world.commit()
    return {
      name: 'rename',
      request: world.say(`Rename ${file}Total to ${file}Count everywhere.`, `Benenne ${file}Total überall in ${file}Count um.`),
      actions: [
        `grep -rn ${file}Count src`,
        `sed -i 's/${file}Total/${file}Count/g' src/*.js`,
        `grep -rn ${file}Total src`,
        `grep -rn ${file}Count src`,
      ],
      done: world.say('Renamed in one place.', 'An einer Stelle umbenannt.'),
    }
  },
  (world) => {
    const branch = world.name('branches')
    world.commit()
    return {
      name: 'feature-branch',
      request: world.say(`Start the branch ${branch} unless it exists.`, `Lege den Branch ${branch} an, falls es ihn nicht gibt.`),
      actions: [`git rev-parse --verify -q ${branch}`, `git switch -qc ${branch}`, 'git branch --show-current'],
      done: world.say('The branch is new and checked out.', 'Der Branch ist neu und ausgecheckt.'),
    }
  },
  (world) => {
    const days = world.random.integer(2, 30)
    world.files({ 'config/app.json': JSON.stringify({ name: world.project, keepDays: 7 }, null, 2) })
    world.commit()
    return {
      name: 'config-value',
      request: world.say(`Keep logs for ${days} days.`, `Bewahre Protokolle ${days} Tage auf.`),
      actions: [
        { read: 'config/default.json' },
        { list: 'config' },
        { read: 'config/app.json' },
        { edit: 'config/app.json', old: '"keepDays": 7', new: `"keepDays": ${days}` },
        'git diff --exit-code config',
        'jq -e .keepDays config/app.json',
      ],
      done: world.say('Set.', 'Eingestellt.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({
      [`data/${file}.csv`]: `day;hours\nMo;${world.random.integer(1, 9)}\nDi;${world.random.integer(1, 9)},5\nMi;${world.random.integer(1, 9)}\n`,
    })
    world.commit()
    return {
      name: 'hours',
      request: world.say(`Add up the hours in data/${file}.csv.`, `Zähle die Stunden in data/${file}.csv zusammen.`),
      actions: [
        {
          script: 'python',
          code: `import csv\n\nrows = csv.DictReader(open("data/${file}.csv"))\nprint(sum(float(row["hours"]) for row in rows))\n`,
        },
        `head -n 3 data/${file}.csv`,
        {
          script: 'python',
          code: `import csv\n\nrows = csv.DictReader(open("data/${file}.csv"), delimiter=";")\nprint(sum(float(row["hours"]) for row in rows))\n`,
        },
        {
          script: 'python',
          code: `import csv\n\nrows = csv.DictReader(open("data/${file}.csv"), delimiter=";")\nprint(sum(float(row["hours"].replace(",", ".")) for row in rows))\n`,
        },
      ],
      done: world.say('The sum is in the last output.', 'Die Summe steht in der letzten Ausgabe.'),
    }
  },
  (world) => {
    const version = world.version()
    world.files({ 'package.json': JSON.stringify({ name: world.project, version, scripts: { hello: 'echo hello' } }) })
    world.commit()
    return {
      name: 'tag-release',
      request: world.say(`Tag version ${version} if there is no such tag.`, `Setze das Tag für ${version}, falls es fehlt.`),
      actions: [`git rev-parse -q --verify v${version}`, `git tag v${version}`, `git tag v${version}`, `git describe --tags`],
      done: world.say('Tagged.', 'Das Tag ist gesetzt.'),
    }
  },
  async (world) => {
    const port = await world.serve((request, response) => {
      const good = request.method === 'POST' && request.headers['content-type'] === 'application/json'
      response.statusCode = good ? 201 : 415
      response.end(good ? '{"id":1}\n' : '{"error":"unsupported media type"}\n')
    })
    world.commit()
    const url = `http://127.0.0.1:${port}/api/orders`
    return {
      name: 'post-order',
      request: world.say('Create a test order through the local API.', 'Lege über die lokale API eine Testbestellung an.'),
      actions: [
        `curl -fsS -X POST -d '{"item":1}' ${url}`,
        `curl -sS -X POST -d '{"item":1}' ${url}`,
        `curl -fsS -H 'Content-Type: application/json' -d '{"item":1}' ${url}`,
      ],
      done: world.say('Order 1 exists.', 'Bestellung 1 ist angelegt.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({ [`${file}.yaml`]: `name: ${world.project}\n  replicas: 2\n` })
    world.commit()
    const read = `python3 -c "import yaml; print(yaml.safe_load(open('${file}.yaml')))"`
    return {
      name: 'yaml-indent',
      request: world.say(`Why can ${file}.yaml not be read? Correct it.`, `Warum lässt sich ${file}.yaml nicht lesen? Korrigiere es.`),
      actions: [read, { read: `${file}.yaml` }, { edit: `${file}.yaml`, old: '  replicas', new: 'replicas' }, read],
      done: world.say('It was the indentation.', 'Es lag an der Einrückung.'),
    }
  },
  (world) => {
    const file = world.name('files')
    nodeTools(world, ['vitest'])
    world.files({
      'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { test: 'vitest run' } }),
      [`src/${file}.js`]: `export const initials = (name) => name.split(' ').map((part) => part[0]).join('')\n`,
      [`src/${file}.test.js`]: `import { expect, test } from 'vitest'\nimport { initials } from './${file}.js'\n\ntest('initials', () => expect(initials('Ada Byron')).toBe('AB'))\n`,
    })
    world.commit()
    return {
      name: 'empty-name',
      request: world.say(
        'Empty names should give empty initials. Add that with a test.',
        'Leere Namen sollen leere Initialen ergeben. Baue das mit Test ein.',
      ),
      actions: [
        {
          edit: `src/${file}.test.js`,
          old: "test('initials'",
          new: "test('empty', () => expect(initials(undefined)).toBe(''))\n\ntest('initials'",
        },
        'npm test',
        { edit: `src/${file}.js`, old: '(name) => name.split', new: "(name = '') => name.split" },
        'npm test',
      ],
      done: world.say('Done, with a test that failed first.', 'Erledigt, der Test schlug vorher fehl.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.setup(
      `sqlite3 ${file}.db "create table orders(id integer, placed text); insert into orders values (1, '2026-01-04'), (2, '2026-02-11')"`,
    )
    world.commit()
    return {
      name: 'orders',
      request: world.say(`Which orders in ${file}.db are from February?`, `Welche Bestellungen in ${file}.db sind vom Februar?`),
      actions: [
        `sqlite3 ${file}.db "select id from order where placed like '2026-02%'"`,
        `sqlite3 ${file}.db .tables`,
        `sqlite3 ${file}.db "select id from orders where placed like '2026-02%'"`,
      ],
      done: world.say('Order 2.', 'Bestellung 2.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({ [`docs/${file}.md`]: `# ${file}\n\nSee [guide](guide.md) and [setup](setup.md).\n` })
    world.commit()
    return {
      name: 'dead-links',
      request: world.say('Find links in docs that lead nowhere and remove them.', 'Finde tote Verweise in docs und entferne sie.'),
      actions: [
        `for f in $(grep -oh '([a-z]*\\.md)' docs/${file}.md | tr -d '()'); do test -f docs/$f || { echo "docs/$f"; exit 1; }; done`,
        { edit: `docs/${file}.md`, old: ' and [setup](setup.md)', new: '' },
        `for f in $(grep -oh '([a-z]*\\.md)' docs/${file}.md | tr -d '()'); do test -f docs/$f || { echo "docs/$f"; exit 1; }; done`,
      ],
      done: world.say('One dead link is gone.', 'Ein toter Verweis ist weg.'),
    }
  },
  (world) => {
    world.files({ 'scripts/report.sh': `#!/bin/bash\nset -u\necho "report for $1"\n` })
    world.commit()
    const month = world.random.pick(['2026-03', '2026-07', '2026-11'])
    return {
      name: 'missing-argument',
      request: world.say(`Make the report for ${month}.`, `Erstelle den Bericht für ${month}.`),
      actions: ['bash scripts/report.sh', 'cat scripts/report.sh', `bash scripts/report.sh ${month}`],
      done: world.say('The report is made.', 'Der Bericht ist erstellt.'),
    }
  },
]
