// Tests in C, Java, Tcl, SQL and shell, and scripts that run before a release, which fail because of one value.
import { constant } from '../causes/wrong-constant.ts'
import type { SceneMaker } from '../scene.ts'

const cTests: SceneMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  const macro = name.toUpperCase()
  world.files({
    [`${file}.h`]: `#define ${macro} ${wrong}\n\nstatic inline int total(int count) { return count * ${macro}; }\n`,
    [`test_${file}.c`]: `#include <assert.h>\n#include "${file}.h"\n\nint main(void) {\n  assert(total(0) == 0);\n  assert(total(${input}) == ${input * right});\n  return 0;\n}\n`,
    [`limits_${file}.c`]: `#include "${file}.h"\n\n_Static_assert(${macro} == ${right}, "${world.say(`${name} must be`, `${name} muss`)} ${right}${world.say('', ' sein')}");\n`,
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(${file} C)\nenable_testing()\nadd_executable(test_${file} test_${file}.c)\nadd_test(NAME totals COMMAND test_${file})\n`,
    Makefile: `check:\n\tgcc -o check_${file} test_${file}.c && ./check_${file}\n\ndist: check\n\tmkdir -p dist && cp ${file}.h dist/\n`,
    '.gitignore': 'build\n',
  })
  world.setup('cmake -S . -B build > /dev/null && cmake --build build > /dev/null')
  world.commit()
  return {
    name: 'c-tests',
    request: world.say('Run the tests; if they pass, fill dist.', 'Führe die Tests aus und fülle dist, wenn sie durchlaufen.'),
    doors: [
      'ctest --test-dir build --output-on-failure',
      'make check',
      `./build/test_${file}`,
      `gcc -c limits_${file}.c`,
      'ctest --test-dir build',
      'make dist',
    ],
    after: [`ls dist/${file}.h`, 'tar czf dist.tgz dist', `cp dist/${file}.h /var/tmp/`],
    repair: [
      { edit: `${file}.h`, old: `${macro} ${wrong}`, new: `${macro} ${right}` },
      'cmake --build build && ctest --test-dir build',
      'make dist',
    ],
    done: world.say('One constant was wrong; dist is filled.', 'Eine Konstante war falsch, dist ist gefüllt.'),
  }
}

const javaTests: SceneMaker = (world) => {
  const { name, wrong, right, input } = constant(world)
  world.files({
    'src/Prices.java': `class Prices {\n  static final int ${name.toUpperCase()} = ${wrong};\n\n  static int total(int count) {\n    return count * ${name.toUpperCase()};\n  }\n}\n`,
    'src/PricesTest.java': `class PricesTest {\n  static void assertEquals(long expected, long actual) {\n    if (expected != actual) throw new AssertionError("expected:<" + expected + "> but was:<" + actual + ">");\n  }\n\n  public static void main(String[] given) {\n    assertEquals(0, Prices.total(0));\n    assertEquals(${input * right}, Prices.total(${input}));\n    System.out.println("OK (2 tests)");\n  }\n}\n`,
    'src/Check.java': `class Check {\n  public static void main(String[] given) {\n    assert Prices.total(1) == ${right} : "${world.say('wrong price', 'falscher Preis')} " + Prices.total(1);\n  }\n}\n`,
    'test.sh': `#!/bin/bash\nset -e\njavac -d out src/*.java\njava -cp out PricesTest\ntouch approved\n`,
    Makefile: 'check:\n\tjavac -d out src/*.java\n\tjava -ea -cp out Check\n',
  })
  world.setup('javac -d out src/*.java')
  world.commit()
  return {
    name: 'java-tests',
    request: world.say('Test the prices and approve them.', 'Teste die Preise und gib sie frei.'),
    doors: ['bash test.sh', 'java -ea -cp out Check', 'java -cp out PricesTest', 'make check'],
    after: ['ls approved', 'git add approved', 'jar cf prices.jar approved -C out .'],
    repair: [{ edit: 'src/Prices.java', old: `= ${wrong}`, new: `= ${right}` }, 'bash test.sh', 'ls approved'],
    done: world.say('The prices are right and approved.', 'Die Preise stimmen und sind freigegeben.'),
  }
}

const release: SceneMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  const title = world.say('multiplies the count', 'multipliziert die Anzahl')
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      version: world.version(),
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'node tools/run-tests.js', preversion: 'npm test', prepack: 'npm test' },
    }),
    'packages/core/package.json': JSON.stringify({
      name: '@local/core',
      version: '1.0.0',
      scripts: { test: 'node --test --test-reporter=spec' },
    }),
    [`packages/core/${file}.js`]: `exports.${name} = ${wrong}\nexports.total = (count) => count * exports.${name}\n`,
    [`packages/core/${file}.test.js`]: `const assert = require('node:assert')\nconst test = require('node:test')\nconst { total } = require('./${file}.js')\n\ntest('${title}', () => assert.ok(total(${input}) === ${input * right}))\n`,
    'tools/run-tests.js': `const { total } = require('../packages/core/${file}.js')\n\nconst received = total(${input})\nif (received === ${input * right}) return console.log('Tests:       1 passed, 1 total')\nconsole.log(' FAIL  packages/core/${file}.test.js\\n  \\u25cf ${title}\\n\\n    expect(received).toBe(expected) // Object.is equality\\n\\n    Expected: ${input * right}\\n    Received: ' + received + '\\n\\nTests:       1 failed, 1 total')\nprocess.exitCode = 1\n`,
  })
  world.commit()
  return {
    name: 'npm-release',
    request: world.say('Raise the patch version and pack the release.', 'Erhöhe die Patch-Version und packe die Ausgabe.'),
    doors: ['npm test', 'npm version patch', 'npm test --workspaces', 'npm pack', 'node tools/run-tests.js'],
    after: [`tar tzf ${world.project}-*.tgz`, 'git describe --tags --abbrev=0', 'git show --stat v0.0.1'],
    repair: [{ edit: `packages/core/${file}.js`, old: `= ${wrong}`, new: `= ${right}` }, 'npm test', 'npm pack'],
    done: world.say('Packed after I corrected one number.', 'Gepackt, nachdem ich eine Zahl berichtigt hatte.'),
  }
}

const pythonChecks: SceneMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  world.files({
    'shop/__init__.py': '',
    [`shop/${file}.py`]: `${name.toUpperCase()} = ${wrong}\n\n\ndef bill(count):\n    return {"count": count, "total": count * ${name.toUpperCase()}}\n`,
    'tests/__init__.py': '',
    [`tests/test_${file}.py`]: `import unittest\n\nfrom shop.${file} import bill\n\n\nclass Bills(unittest.TestCase):\n    def test_bill(self):\n        self.assertDictEqual(bill(${input}), {"count": ${input}, "total": ${input * right}})\n\n    def test_average(self):\n        for count in (1, 2):\n            with self.subTest(count=count):\n                self.assertAlmostEqual(bill(count)["total"] / count, ${right}.0)\n`,
    'check.py': `from shop.${file} import bill\n\nassert bill(${input})["total"] == ${input * right}\nprint("ok")\n`,
    Makefile: 'test:\n\tpython3 check.py\n',
    'tox.sh': '#!/bin/bash\nset -e\npython3 -m unittest discover -q -s tests -t .\npython3 check.py > approved.txt\n',
  })
  world.commit()
  return {
    name: 'python-bills',
    request: world.say('Check the bills and write approved.txt.', 'Prüfe die Rechnungen und schreib approved.txt.'),
    doors: [
      'python3 -m unittest discover -s tests -t .',
      'python3 check.py',
      'bash tox.sh',
      `python3 -m unittest -f tests.test_${file}`,
      'make test',
    ],
    after: ['cat approved.txt', 'git add approved.txt', { read: 'approved.txt' }],
    repair: [{ edit: `shop/${file}.py`, old: `= ${wrong}`, new: `= ${right}` }, 'bash tox.sh', 'cat approved.txt'],
    done: world.say('The bills are right now.', 'Die Rechnungen stimmen jetzt.'),
  }
}

const smallLanguages: SceneMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  const title = world.say('total of several', 'Summe mehrerer')
  world.files({
    [`${file}.env`]: `${name}=${wrong}\n`,
    'tests/run.sh': `#!/bin/bash\n. ./${file}.env\nactual=$(( ${input} * ${name} ))\nif [ "$actual" = ${input * right} ]; then echo "ok 1 - ${title}"; else\n  echo "not ok 1 - ${title}"\n  echo "#   ${world.say('expected', 'erwartet')}: ${input * right}"\n  echo "#   ${world.say('actual', 'erhalten')}: $actual"\n  failed=1\nfi\necho 1..1\nexit "\${failed:-0}"\n`,
    'tests/all.tcl': `package require tcltest\nset f [open ${file}.env]\nset value [lindex [split [string trim [read $f]] =] 1]\ntcltest::test ${name}-1.0 {${title}} -body { expr {${input} * $value} } -result ${input * right}\nset failed $tcltest::numTests(Failed)\ntcltest::cleanupTests\nexit [expr {$failed > 0}]\n`,
    'tests/check.sql': `create table total(amount integer check (amount = ${input * right}));\n`,
    'tests/sql.sh': `#!/bin/bash\n. ./${file}.env\nsqlite3 -bail :memory: ".read tests/check.sql" "insert into total values (${input} * ${'$'}${name})" && echo ok\n`,
    Makefile: 'test:\n\tbash tests/run.sh\n\nship: test\n\tdate > shipped\n',
  })
  world.commit()
  return {
    name: 'small-languages',
    request: world.say('Run all checks and ship.', 'Lass alle Prüfungen laufen und liefere aus.'),
    doors: [
      'bash tests/run.sh',
      'tclsh tests/all.tcl',
      'make ship',
      'bash tests/sql.sh',
      `awk -F= '$2 != ${right} { print "${file}.env: " $0 " (${world.say('should be', 'soll sein')} ${right})"; exit 1 }' ${file}.env`,
    ],
    after: ['cat shipped', 'git add shipped'],
    repair: [{ edit: `${file}.env`, old: `=${wrong}`, new: `=${right}` }, 'make ship', 'cat shipped'],
    done: world.say('Shipped, with the right value.', 'Ausgeliefert, mit dem richtigen Wert.'),
  }
}

const pushHook: SceneMaker = (world) => {
  const [file, { name, wrong, right, input }] = [world.name('files'), constant(world)]
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { ci: 'node --test --test-reporter=spec && touch ci-passed' },
    }),
    [`lib/${file}.js`]: `export const ${name} = ${wrong}\nexport const lines = (count) => [\`${world.say('Total', 'Summe')}: \${count * ${name}}\`]\n`,
    [`lib/${file}.test.js`]: `import { deepEqual, match } from 'node:assert/strict'\nimport { suite, test } from 'node:test'\nimport { lines } from './${file}.js'\n\nsuite('${world.say('receipt', 'Beleg')}', () => {\n  test('${world.say('shows the total', 'zeigt die Summe')}', () => match(lines(${input})[0], /: ${input * right}$/))\n  test('${world.say('is complete', 'ist vollständig')}', () => deepEqual(lines(1), ['${world.say('Total', 'Summe')}: ${right}']))\n})\n`,
  })
  world.commit()
  world.setup(
    "git clone -q --bare . ../origin.git && git remote add origin ../origin.git && printf '#!/bin/sh\\nexec node --test\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push && echo . >> docs/guide.md && git commit -qam docs",
  )
  return {
    name: 'push-hook',
    request: world.say('Push main.', 'Schiebe main hoch.'),
    doors: [
      'git push origin main',
      'npm run ci',
      `node lib/${file}.test.js`,
      'git push -q origin HEAD:main',
      'node --test --test-reporter=dot',
    ],
    after: [
      'ls ci-passed',
      'git fetch -q origin && git diff --quiet origin/main main',
      `git --git-dir=../origin.git cat-file -e $(git rev-parse HEAD)`,
    ],
    repair: [{ edit: `lib/${file}.js`, old: `= ${wrong}`, new: `= ${right}` }, 'git commit -qam fix', 'git push -q origin main'],
    done: world.say('Pushed, with one number corrected.', 'Hochgeschoben, mit einer berichtigten Zahl.'),
  }
}

export const wrongConstant: readonly SceneMaker[] = [pythonChecks, release, pushHook, cTests, smallLanguages, javaTests]
