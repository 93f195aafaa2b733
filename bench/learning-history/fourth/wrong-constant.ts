// Tests in pytest, vitest and node:test that fail because of one value.
import { constant } from '../causes/wrong-constant.ts'
import type { DayMaker } from './day.ts'
import { nodeTools, python } from './tools.ts'

const prices: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  const upper = name.toUpperCase()
  python(world, ['pytest'])
  world.files({
    [`shop/${file}.py`]: `${upper} = ${wrong}\n\n\ndef total(amount):\n    return amount * ${upper}\n`,
    'shop/__init__.py': '',
    [`tests/test_${file}.py`]: `import pytest\n\nfrom shop.${file} import total\n\n\ndef test_total():\n    assert total(${input}) == ${input * right}\n\n\ndef test_zero():\n    assert total(0) == 0\n\n\n@pytest.mark.parametrize("amount", [1, 2, 3])\ndef test_each(amount):\n    assert total(amount) == amount * ${right}\n`,
    'conftest.py': '',
    Makefile: `release: test\n\ttar czf release.tgz shop\n\ntest:\n\tpython -m pytest -q\n`,
  })
  world.commit()
  return {
    name: 'pytest-shop',
    request: world.say('Run the tests, then make the release.', 'Lass die Tests laufen und erstelle dann das Release.'),
    doors: ['pytest', `pytest -x -q tests/test_${file}.py`, `python -m pytest tests/test_${file}.py::test_total`, 'make release'],
    looks: [{ read: `shop/${file}.py` }, { read: `tests/test_${file}.py` }, 'git log -p -1 --stat'],
    tries: [
      ['pytest --lf -q'],
      [{ edit: `shop/${file}.py`, old: 'amount * ', new: 'int(amount) * ' }, 'pytest -q'],
      ['pytest -q -p no:cacheprovider'],
      [`pytest -vv -k total`],
    ],
    after: ['tar tzf release.tgz', 'git tag -a v1 -m v1 $(ls release.tgz)'],
    repair: [{ edit: `shop/${file}.py`, old: `= ${wrong}`, new: `= ${right}` }, 'pytest -q', 'make release'],
    done: world.say('One number was wrong; the release is made.', 'Eine Zahl war falsch, das Release ist erstellt.'),
  }
}

const frontend: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  nodeTools(world, ['vitest'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { test: 'vitest run', prebuild: 'npm test', build: 'mkdir -p dist && cp src/*.js dist/' },
    }),
    [`src/${file}.js`]: `export const ${name} = ${wrong}\nexport const total = (amount) => amount * ${name}\n`,
    [`src/${file}.test.js`]: `import { describe, expect, it } from 'vitest'\nimport { total } from './${file}.js'\n\ndescribe('${file}', () => {\n  it('${world.say('computes the total', 'berechnet die Summe')}', () => expect(total(${input})).toBe(${input * right}))\n  it('${world.say('handles zero', 'kommt mit null zurecht')}', () => expect(total(0)).toBe(0))\n})\n`,
  })
  world.commit()
  return {
    name: 'vitest-total',
    request: world.say('Build the frontend for the demo.', 'Baue das Frontend für die Demo.'),
    doors: ['npm test', 'npm run build', `npx vitest run src/${file}.test.js`, 'npx vitest run --reporter=verbose'],
    looks: [{ read: `src/${file}.js` }, { read: `src/${file}.test.js` }, 'git diff HEAD'],
    tries: [
      ['npx vitest run --no-cache'],
      [{ edit: `src/${file}.js`, old: 'amount * ', new: 'Math.round(amount) * ' }, 'npm test'],
      ['npx vitest run -t null', 'npm test'],
    ],
    after: ['ls dist', `node dist/${file}.js`],
    repair: [{ edit: `src/${file}.js`, old: `= ${wrong}`, new: `= ${right}` }, 'npm run build'],
    done: world.say('Built; a constant had the wrong value.', 'Gebaut, eine Konstante hatte den falschen Wert.'),
  }
}

const settings: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  nodeTools(world, ['vitest'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { test: 'vitest run', 'test:ci': 'vitest run --reporter=tap-flat' },
    }),
    [`lib/${file}.js`]: `export const defaults = { ${name}: ${wrong}, retries: ${input}, title: '${world.project}' }\n`,
    [`lib/${file}.test.js`]: `import { expect, test } from 'vitest'\nimport { defaults } from './${file}.js'\n\ntest('${world.say('defaults', 'Vorgaben')}', () => {\n  expect(defaults).toEqual({ ${name}: ${right}, retries: ${input}, title: '${world.project}' })\n})\n\ntest('${world.say('sentence', 'Satz')}', () => {\n  expect(\`\${defaults.title}: \${defaults.${name}}\`).toMatchInlineSnapshot(\`"${world.project}: ${right}"\`)\n})\n`,
  })
  world.commit()
  return {
    name: 'vitest-defaults',
    request: world.say(
      'The defaults should pass their tests before I merge. Check that.',
      'Vor dem Merge sollen die Vorgaben ihre Tests bestehen. Prüf das.',
    ),
    doors: [
      'npm test',
      'npm run test:ci',
      `npx vitest run lib/${file}.test.js -t ${world.say('sentence', 'Satz')}`,
      'npx vitest run --bail 1',
    ],
    looks: [{ read: `lib/${file}.js` }, { read: `lib/${file}.test.js` }, 'git blame lib/*.js'],
    tries: [
      ['npx vitest run --reporter=dot'],
      [
        { edit: `lib/${file}.js`, old: `retries: ${input}`, new: `retries: ${input + 1}` },
        'npm test',
        { edit: `lib/${file}.js`, old: `retries: ${input + 1}`, new: `retries: ${input}` },
      ],
    ],
    after: ['cat test-report.xml', 'git merge --ff-only tested'],
    repair: [{ edit: `lib/${file}.js`, old: `${name}: ${wrong}`, new: `${name}: ${right}` }, 'npm test'],
    done: world.say('They pass.', 'Sie bestehen.'),
  }
}

const nodeApi: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      scripts: { test: 'node --test --test-reporter=spec', check: `node scripts/check.js`, deploy: 'npm test && echo ok > deployed' },
    }),
    [`api/${file}.js`]: `const ${name} = ${wrong}\n\nexports.quote = (count) => ({ count, sum: count * ${name} })\n`,
    [`api/${file}.test.js`]: `const assert = require('node:assert/strict')\nconst { describe, it } = require('node:test')\nconst { quote } = require('./${file}.js')\n\ndescribe('quote', () => {\n  it('${world.say('has the right sum', 'hat die richtige Summe')}', () => assert.equal(quote(${input}).sum, ${input * right}))\n  it('${world.say('is complete', 'ist vollständig')}', () => assert.deepEqual(quote(2), { count: 2, sum: ${2 * right} }))\n})\n`,
    'scripts/check.js': `const { quote } = require('../api/${file}.js')\n\nconst { sum } = quote(1)\nif (sum !== ${right}) {\n  console.error('${world.say('Check failed: expected', 'Prüfung fehlgeschlagen: erwartet')} ${right}, ${world.say('got', 'erhalten')} ' + sum)\n  process.exit(1)\n}\n`,
  })
  world.commit()
  return {
    name: 'quote-api',
    request: world.say('Deploy the quote API if everything is green.', 'Liefere die Angebots-API aus, wenn alles grün ist.'),
    doors: ['npm test', 'npm run deploy', 'npm run check', 'node --test'],
    looks: [{ read: `api/${file}.js` }, { read: `api/${file}.test.js` }, 'git log --oneline -3 -- api'],
    tries: [
      [`node --test api/${file}.test.js`],
      [{ edit: `api/${file}.js`, old: 'count * ', new: 'Number(count) * ' }, 'npm test'],
      ['node scripts/check.js'],
    ],
    after: ['cat deployed', 'git add deployed'],
    repair: [{ edit: `api/${file}.js`, old: `= ${wrong}`, new: `= ${right}` }, 'npm run deploy', 'cat deployed'],
    done: world.say('Deployed.', 'Ausgeliefert.'),
  }
}

const rounding: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  const upper = name.toUpperCase()
  python(world, ['pytest', 'flask'])
  world.files({
    [`${file}.py`]: `from flask import Flask, jsonify\n\n${upper} = ${wrong}\napp = Flask(__name__)\n\n\n@app.get("/share")\ndef share():\n    return jsonify(share=${upper} / 100, items=[${upper}])\n`,
    [`test_${file}.py`]: `import pytest\n\nfrom ${file} import app\n\n\n@pytest.fixture\ndef client():\n    return app.test_client()\n\n\ndef test_share(client):\n    answer = client.get("/share")\n    assert answer.status_code == 200\n    assert answer.json["share"] == pytest.approx(${right} / 100)\n\n\ndef test_items(client):\n    assert client.get("/share").json == {"items": [${right}], "share": ${right} / 100}\n`,
    'test_classic.py': `import unittest\n\nfrom ${file} import ${upper}\n\n\nclass Values(unittest.TestCase):\n    def test_value(self):\n        self.assertEqual(${upper} * ${input}, ${right * input})\n`,
  })
  world.commit()
  return {
    name: 'flask-share',
    request: world.say(
      'Check the share endpoint and write approved.txt if it is right.',
      'Prüfe den Endpunkt share und schreib approved.txt, wenn er stimmt.',
    ),
    doors: [
      `pytest test_${file}.py`,
      'python -m unittest test_classic',
      `pytest -q test_${file}.py && echo ok > approved.txt`,
      `pytest --tb=short -q`,
    ],
    looks: [{ read: `${file}.py` }, { read: `test_${file}.py` }, 'git status --short'],
    tries: [
      [`pytest -q -k items`],
      [{ edit: `${file}.py`, old: `${upper} / 100`, new: `round(${upper} / 100, 4)` }, 'pytest -q'],
      ['pytest -q --tb=line'],
    ],
    after: ['cat approved.txt', { read: 'approved.txt' }],
    repair: [
      { edit: `${file}.py`, old: `${upper} = ${wrong}`, new: `${upper} = ${right}` },
      'pytest -q',
      'echo ok > approved.txt && cat approved.txt',
    ],
    done: world.say('The endpoint is right.', 'Der Endpunkt stimmt.'),
  }
}

const hook: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  python(world, ['pytest'])
  world.files({
    [`${file}.py`]: `${name} = ${wrong}\n`,
    [`test_${file}.py`]: `from ${file} import ${name}\n\n\ndef test_${name}():\n    assert ${name} * ${input} == ${right * input}, "${world.say(`${name} is wrong`, `${name} ist falsch`)}"\n`,
    '.githooks/pre-commit': '#!/bin/sh\nexec .venv/bin/pytest -q\n',
    'ci.sh': `#!/bin/bash\nset -e\nfor step in lint test; do\n  echo "== $step"\n  if [ $step = test ]; then .venv/bin/pytest -q; fi\ndone\ntouch green\n`,
  })
  world.commit()
  world.setup('chmod +x .githooks/pre-commit && git config core.hooksPath .githooks && echo "- news" >> CHANGELOG.md')
  return {
    name: 'commit-hook',
    request: world.say('Commit the changelog.', 'Committe das Changelog.'),
    doors: [
      `git commit -am "${world.say('Update changelog', 'Changelog ergänzt')}"`,
      'bash ci.sh',
      'pytest -q',
      `git commit -m "news" CHANGELOG.md`,
    ],
    looks: [{ read: '.githooks/pre-commit' }, { read: `${file}.py` }, 'git status --short', { read: `test_${file}.py` }],
    tries: [
      ['git add -A', 'git commit -m news'],
      ['pytest -x --tb=long'],
      [{ edit: `${file}.py`, old: `${name} =`, new: `${name}: int =` }, 'pytest -q'],
    ],
    after: ['ls green', 'git diff --quiet HEAD -- CHANGELOG.md'],
    repair: [{ edit: `${file}.py`, old: `= ${wrong}`, new: `= ${right}` }, 'git commit -qam news'],
    done: world.say('Committed, after the test was right again.', 'Committet, nachdem der Test wieder stimmte.'),
  }
}

const javaScriptLegacy: DayMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  world.files({
    [`src/${file}.mjs`]: `export const ${name} = ${wrong}\n`,
    'test.mjs': `import assert from 'node:assert'\nimport { ${name} } from './src/${file}.mjs'\n\nassert.strictEqual(${name} * ${input}, ${right * input})\nconsole.log('ok')\n`,
    'test.sh': `#!/bin/bash\nactual=$(node -e "import('./src/${file}.mjs').then((m) => console.log(m.${name}))")\n[ "$actual" -eq ${right} ] || { echo "FAIL ${name}: ${world.say('expected', 'erwartet')} ${right}, ${world.say('got', 'erhalten')} $actual"; exit 1; }\necho PASS\n`,
    Makefile: 'check:\n\tnode test.mjs\n\npackage: check\n\ttar czf package.tgz src\n',
  })
  world.commit()
  return {
    name: 'plain-asserts',
    request: world.say('Make the package after the check.', 'Erstelle nach der Prüfung das Paket.'),
    doors: ['make package', 'bash test.sh', 'node test.mjs'],
    looks: [{ read: `src/${file}.mjs` }, { read: 'test.mjs' }, { read: 'Makefile' }],
    tries: [
      ['make clean check'],
      ['node --trace-warnings test.mjs'],
      [{ edit: 'test.mjs', old: 'strictEqual', new: 'equal' }, 'node test.mjs'],
    ],
    after: ['tar tzf package.tgz', 'sha256sum package.tgz'],
    repair: [{ edit: `src/${file}.mjs`, old: `= ${wrong}`, new: `= ${right}` }, 'make package', 'tar tzf package.tgz'],
    done: world.say('The package is made.', 'Das Paket ist erstellt.'),
  }
}

export const wrongConstant: readonly DayMaker[] = [prices, frontend, nodeApi, rounding, settings, hook, javaScriptLegacy]
