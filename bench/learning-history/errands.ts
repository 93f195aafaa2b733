// Runs without a planted cause. What fails in them is a slip of the agent, and the next call repairs it.
import type { Errands } from './scene.ts'
import type { World } from './world.ts'

function scripts(world: World): string {
  const file = world.name('files')
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      version: world.version(),
      scripts: { build: `node src/${file}.js`, format: 'node --version' },
    }),
    [`src/${file}.js`]: `console.log('${world.say('built', 'gebaut')}')\n`,
  })
  world.commit()
  return file
}

function table(world: World): string {
  const file = `${world.name('files')}.csv`
  const rows = Array.from({ length: world.random.integer(4, 30) }, (_, at) => `${at},${world.random.integer(1, 900)}`)
  world.files({ [`data/${file}`]: `id,value\n${rows.join('\n')}\n` })
  world.commit()
  return `data/${file}`
}

export const errands: Errands = {
  tuning: [
    (world) => {
      scripts(world)
      return {
        name: 'misspelled-script',
        request: world.say('Build the project.', 'Baue das Projekt.'),
        actions: [`npm run ${world.random.pick(['biuld', 'bulid', 'buidl'])}`, 'npm run', 'npm run build'],
        done: world.say('The project is built.', 'Das Projekt ist gebaut.'),
      }
    },
    (world) => {
      const path = table(world)
      const column = world.random.integer(0, 1)
      return {
        name: 'sum',
        request: world.say(`Add up the second column of ${path}.`, `Summiere die zweite Spalte von ${path}.`),
        actions: [
          { script: 'python', code: `import csv\nrows = csv.reader(open("${path}")\nprint(sum(int(row[1]) for row in rows))\n` },
          { script: 'python', code: `import csv\nrows = csv.reader(open("${path}"))\nprint(sum(int(row[${column}]) for row in rows))\n` },
          { script: 'python', code: `import csv\nrows = list(csv.reader(open("${path}")))[1:]\nprint(sum(int(row[1]) for row in rows))\n` },
        ],
        done: world.say('The sum is in the last output.', 'Die Summe steht in der letzten Ausgabe.'),
      }
    },
    (world) => {
      const path = table(world)
      return {
        name: 'count',
        request: world.say(`How many rows does ${path} have?`, `Wie viele Zeilen hat ${path}?`),
        actions: [{ read: path }, `wc -l ${path}`, `git log --oneline -- ${path}`],
        done: world.say('I counted them; see above.', 'Ich habe sie gezählt, siehe oben.'),
      }
    },
    (world) => {
      const archive = `${world.project}-${world.version()}.tgz`
      world.commit()
      return {
        name: 'wrong-option',
        request: world.say(`Pack the docs into ${archive}.`, `Packe die Dokumentation in ${archive}.`),
        actions: [`tar czf ${archive} --exlude='*.tmp' docs`, `tar czf ${archive} --exclude='*.tmp' docs`, `tar tzf ${archive}`],
        done: world.say(`${archive} has the docs.`, `${archive} enthält die Dokumentation.`),
      }
    },
    (world) => {
      const file = scripts(world)
      return {
        name: 'own-mistake',
        request: world.say('Print the name and version of this package.', 'Gib Name und Version dieses Pakets aus.'),
        actions: [
          {
            script: 'node',
            code: `const manifest = JSON.parse(require('node:fs').readFileSync('package.json'))\nconsole.log(manifest.nam.toUpperCase(), manifest.version)\n`,
          },
          {
            script: 'node',
            code: `const manifest = JSON.parse(require('node:fs').readFileSync('package.json'))\nconsole.log(manifest.name, manifest.version)\n`,
          },
          { read: `src/${file}.js` },
        ],
        done: world.say('They are in the last output.', 'Sie stehen in der letzten Ausgabe.'),
      }
    },
    (world) => {
      world.commit()
      const branch = world.name('branches')
      return {
        name: 'new-branch',
        request: world.say(
          `Create the branch ${branch} and add a line to the changelog there.`,
          `Lege den Branch ${branch} an und ergänze dort eine Zeile im Changelog.`,
        ),
        actions: [
          `git switch ${branch}`,
          `git switch -c ${branch}`,
          `echo "- ${world.say('Small fixes', 'Kleine Korrekturen')}" >> CHANGELOG.md`,
          'git commit -qam changelog',
          'git log --oneline -2',
        ],
        done: world.say('The branch has the line.', 'Die Zeile ist auf dem Branch.'),
      }
    },
    async (world) => {
      world.commit()
      const port = await world.serve((request, response) => {
        response.statusCode = request.url?.startsWith('/v2/') ? 200 : 404
        response.end('{"temperature":7}\n')
      })
      return {
        name: 'wrong-address',
        request: world.say('Ask the local weather service for the temperature.', 'Frag den lokalen Wetterdienst nach der Temperatur.'),
        actions: [`curl -fsS http://127.0.0.1:${port}/v1/now`, `curl -fsS http://127.0.0.1:${port}/v2/now`],
        done: world.say('7 degrees.', '7 Grad.'),
      }
    },
  ],
  'held-out': [
    (world) => {
      world.files({ Makefile: 'release:\n\t@echo ok\n\nclean:\n\trm -rf dist\n' })
      world.commit()
      return {
        name: 'misspelled-target',
        request: world.say('Make the release.', 'Erstelle die Ausgabe.'),
        actions: [`make ${world.random.pick(['relase', 'realease', 'releas'])}`, { read: 'Makefile' }, 'make release'],
        done: world.say('The release is made.', 'Die Ausgabe ist erstellt.'),
      }
    },
    (world) => {
      const file = `${world.name('files')}.json`
      world.files({ [file]: JSON.stringify({ items: [{ id: 1 }, { id: 2 }] }) })
      world.commit()
      return {
        name: 'wrong-filter',
        request: world.say(`List the ids in ${file}.`, `Liste die Ids in ${file} auf.`),
        actions: [`jq '.items[.id' ${file}`, `jq '.items[].id' ${file}`],
        done: world.say('1 and 2.', '1 und 2.'),
      }
    },
    (world) => {
      const path = table(world)
      return {
        name: 'largest',
        request: world.say(`Which row of ${path} has the largest value?`, `Welche Zeile von ${path} hat den größten Wert?`),
        actions: [`sort -t, -k2 -n --revers ${path} --frist`, `tail -n +2 ${path} | sort -t, -k2,2nr | head -n 1`],
        done: world.say('It is printed above.', 'Sie steht oben.'),
      }
    },
    (world) => {
      const path = table(world)
      return {
        name: 'average',
        request: world.say(`What is the average value in ${path}?`, `Wie hoch ist der Durchschnitt in ${path}?`),
        actions: [
          {
            script: 'python',
            code: `rows = open("${path}").read().split()[1:]\nvalues = [int(row.split(",")[1]) for row in rows]\nprint(sum(values) / len(valeus))\n`,
          },
          {
            script: 'python',
            code: `rows = open("${path}").read().split()[1:]\nvalues = [int(row.split(",")[1]) for row in rows]\nprint(sum(values) / len(values))\n`,
          },
        ],
        done: world.say('It is in the last output.', 'Er steht in der letzten Ausgabe.'),
      }
    },
    (world) => {
      world.files({ 'src/a.txt': 'color\n', 'src/b.txt': 'color color\n' })
      world.commit()
      return {
        name: 'replace',
        request: world.say('Replace "color" by "colour" in src.', 'Ersetze "color" durch "colour" in src.'),
        actions: [
          "sed -i 's/color/colour/q src/*.txt",
          "sed -i 's/color/colour/y' src/*.txt",
          "sed -i 's/color/colour/g' src/*.txt",
          'git diff --stat',
        ],
        done: world.say('Replaced three times.', 'Dreimal ersetzt.'),
      }
    },
    (world) => {
      world.commit()
      return {
        name: 'folders',
        request: world.say('Create notes/2026 and put a first note there.', 'Lege notes/2026 an und schreib eine erste Notiz hinein.'),
        actions: [
          { write: 'notes/2026/first.md', content: '# 1\n' },
          'mkdir notes/2026',
          'mkdir -p notes/2026',
          { write: 'notes/2026/first.md', content: '# 1\n' },
        ],
        done: world.say('The note is there.', 'Die Notiz ist da.'),
      }
    },
    (world) => {
      scripts(world)
      return {
        name: 'bump',
        request: world.say('Raise the patch version without a tag.', 'Erhöhe die Patch-Version ohne Tag.'),
        actions: ['npm version ptach --no-git-tag-version', 'npm version patch --no-git-tag-version', 'git diff --stat'],
        done: world.say('The version is raised.', 'Die Version ist erhöht.'),
      }
    },
    (world) => {
      world.commit()
      return {
        name: 'who',
        request: world.say('Who wrote the README, and when?', 'Wer hat das README geschrieben, und wann?'),
        actions: ['git blame --short README.md', 'git blame -s README.md', "git log --format='%an %ad' -- README.md"],
        done: world.say(`${world.user} wrote it.`, `Es ist von ${world.user}.`),
      }
    },
  ],
}
