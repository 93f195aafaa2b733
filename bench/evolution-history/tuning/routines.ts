import type { Routine } from '../plan.ts'
import { call, edit, read, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const change = (scene: Scene) =>
  scene.random.pick(
    scene.language === 'de'
      ? ['Schnellere Suche', 'Neue Druckansicht', 'Fehler beim Speichern behoben', 'Bessere Kontraste', 'Umlaute in Dateinamen']
      : ['Faster search', 'New print view', 'Fixed a crash when saving', 'Better contrast', 'Keyboard shortcuts for lists'],
  )

const release: Routine = {
  key: 'release',
  about: 'Release of an npm project: version, changelog, tests, commit, tag, push',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the changelog has to be written from what changed; the rest is fixed',
  skill: null,
  runs: 13,
  projects: ['kassenbuch', 'seed-shop', 'tide-clock', 'bike-map', 'radio-log'],
  variants: ['npm-version', 'by-hand'],
  requests: {
    en: [
      (s) => `Release ${s.version}, please.`,
      (s) => `We are ready to ship ${s.version} of ${s.project}.`,
      (s) => `Cut ${s.version} and get it out.`,
      (s) => `Everything for ${s.version} is merged. Make it official.`,
      () => 'Time for the next version. Bug fixes only, so a small bump.',
      (s) => `Can you publish v${s.version}? The usual way.`,
      (s) => `Tag and push ${s.version} once it is green.`,
    ],
    de: [
      (s) => `Mach bitte das Release ${s.version} fertig.`,
      (s) => `${s.project} soll heute als ${s.version} raus.`,
      (s) => `Version ${s.version} veröffentlichen, wie immer.`,
      () => 'Wir brauchen eine neue Version, die Korrekturen von gestern sollen zu den Leuten.',
      (s) => `Bring ${s.version} auf den Weg.`,
      (s) => `Kannst du ${s.version} herausgeben?`,
    ],
  },
  answers: {
    en: [(s) => `${s.version} is out.`, (s) => `Released ${s.version}: tests passed, tag pushed.`],
    de: [(s) => `${s.version} ist veröffentlicht.`, (s) => `Fertig, v${s.version} ist gepusht.`],
  },
  steps: [
    { key: 'look', optional: true, calls: (s) => [read('package.json', `{ "name": "${s.project}", "version": "${s.previous}" }`)] },
    {
      key: 'bump',
      after: ['look'],
      calls: (s, variant) =>
        variant === 'by-hand'
          ? [edit('package.json', `"version": "${s.previous}"`, `"version": "${s.version}"`)]
          : [shell(`npm version ${s.version} --no-git-tag-version`, `v${s.version}`)],
    },
    {
      key: 'changelog',
      calls: (s) => [edit('CHANGELOG.md', '# Changelog\n', `# Changelog\n\n## ${s.version} (${s.date})\n\n- ${change(s)}\n`)],
    },
    {
      key: 'test',
      fails: '1 failing: rounds to two decimals',
      calls: (s) => [
        shell(s.random.pick(['npm test', 'npm test', 'npm test', 'npm test -- --silent']), `${s.random.int(18, 240)} passing`),
      ],
    },
    { key: 'build', optional: true, calls: (s) => [shell('npm run build', `built in ${s.random.int(2, 9)}.${s.random.int(1, 9)}s`)] },
    {
      key: 'commit',
      after: ['bump', 'changelog', 'test', 'build'],
      optional: true,
      calls: (s) => [shell(`git commit -am "Release ${s.version}"`, `[main ${s.random.int(10000, 99999)}a] Release ${s.version}`)],
    },
    {
      key: 'tag',
      after: ['commit', 'bump', 'changelog', 'test'],
      calls: (s) => [shell(`git tag -a v${s.version} -m "${s.project} ${s.version}"`)],
    },
    {
      key: 'push',
      after: ['tag'],
      optional: true,
      calls: (s, variant) => [
        shell(
          variant === 'by-hand' ? `git push origin main v${s.version}` : 'git push --follow-tags',
          ` * [new tag] v${s.version} -> v${s.version}`,
        ),
      ],
    },
  ],
}

const letters = [
  'rechnung-wasserwerk',
  'invoice-hosting',
  'einladung-probe',
  'reminder-library',
  'vertrag-halle',
  'quote-printer',
  'spende-quittung',
  'parcel-notice',
]

function inbox(scene: Scene): string[] {
  // The same seed gives the same letters in every step of a run.
  const first = Number(scene.date.slice(8)) + scene.project.length
  return [0, 1, 2].slice(0, 2 + (first % 2)).map((offset) => `${letters[(first + offset * 3) % letters.length]}-${scene.date.slice(5)}.txt`)
}

const triage: Routine = {
  key: 'triage',
  about: 'Sort the scanned letters of an inbox folder into the archive of the month and add them to its index',
  gap: 'skill_gap',
  also: null,
  why: 'each letter has to be read to decide where it belongs; a skill for it exists',
  skill: 'inbox-sorter',
  runs: 10,
  projects: ['vereinsbuero', 'household', 'chor-website'],
  variants: null,
  requests: {
    en: [
      () => 'Sort the inbox.',
      () => 'There is new mail in the inbox folder. Put it where it belongs.',
      (s) => `File the letters that came in until ${s.date}.`,
      () => 'Can you clear out inbox/ and tell me what needs a reply?',
      () => 'The scanner was busy. Tidy up after it, please.',
    ],
    de: [
      () => 'Räum bitte den Eingang auf.',
      () => 'Im Eingangsordner liegt neue Post, leg sie bitte ab.',
      (s) => `Sortiere die Briefe bis ${s.date} ein.`,
      () => 'Bitte die Ablage machen.',
      () => 'Was ist gekommen? Bitte einordnen.',
    ],
  },
  answers: {
    en: [() => 'All letters are filed; one needs a reply.', () => 'The inbox is empty.'],
    de: [() => 'Alles abgelegt, eine Rechnung ist offen.', () => 'Der Eingang ist leer.'],
  },
  steps: [
    { key: 'list', calls: (s) => [call('fs.list', { path: 'inbox' }, inbox(s).join('\n'))] },
    {
      key: 'read',
      after: ['list'],
      calls: (s) => inbox(s).map((name) => read(`inbox/${name}`, say(s, 'Dear customer, …', 'Sehr geehrte Damen und Herren, …'))),
    },
    { key: 'folder', optional: true, calls: (s) => [call('fs.mkdir', { path: `archive/${s.month}` }, 'created')] },
    {
      key: 'move',
      after: ['read', 'folder'],
      calls: (s) => inbox(s).map((name) => call('fs.move', { from: `inbox/${name}`, to: `archive/${s.month}/${name}` }, 'moved')),
    },
    {
      key: 'index',
      after: ['read'],
      calls: (s) => [edit('archive/index.md', '## New\n', `## New\n\n- ${s.date}: ${inbox(s).join(', ')}\n`)],
    },
    {
      key: 'todo',
      after: ['read'],
      optional: true,
      calls: (s) => [call('todo.create', { title: say(s, `Answer ${inbox(s)[0]}`, `${inbox(s)[0]} beantworten`) }, 'created')],
    },
  ],
}

const report: Routine = {
  key: 'report',
  about: 'Weekly sales report: sum up the CSV export, write the page, make a PDF',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'everything follows from the number of the week; no decision is needed on the way',
  skill: null,
  runs: 12,
  projects: ['seed-shop', 'kassenbuch', 'mensa-menu'],
  variants: null,
  requests: {
    en: [
      (s) => `The weekly report for ${s.week}, please.`,
      (s) => `Numbers for ${s.week} are in exports/. Write them up.`,
      () => 'Do the Monday report.',
      (s) => `How did we do in ${s.week}? I need it as a PDF.`,
      () => 'Sum up the sales of last week for the others.',
      (s) => `Report, week ${s.week.slice(6)}.`,
    ],
    de: [
      (s) => `Bitte den Wochenbericht für ${s.week}.`,
      (s) => `Die Zahlen der KW ${s.week.slice(6)} sind da, mach bitte die Übersicht.`,
      () => 'Es ist Montag: der Bericht, bitte.',
      (s) => `Umsatz ${s.week} zusammenfassen und als PDF ablegen.`,
      () => 'Wie lief die letzte Woche? Schreib es für alle auf.',
    ],
  },
  answers: {
    en: [(s) => `reports/${s.week}.pdf is ready.`, (s) => `Written: reports/${s.week}.md and the PDF.`],
    de: [(s) => `reports/${s.week}.pdf liegt bereit.`, () => 'Der Bericht ist fertig.'],
  },
  steps: [
    { key: 'head', optional: true, calls: (s) => [shell(`head -n 5 exports/sales-${s.week}.csv`, 'date,article,count,amount\n…')] },
    {
      key: 'sum',
      after: ['head'],
      calls: (s) => [
        call(
          'script.run',
          {
            language: 'python',
            code: `import csv, collections\ntotal = collections.Counter()\nfor row in csv.DictReader(open("exports/sales-${s.week}.csv")):\n    total[row["article"]] += float(row["amount"])\nprint(total.most_common(10))\n`,
          },
          `[('${s.random.pick(['tomato', 'basil', 'menu 2', 'calendar'])}', ${s.random.int(120, 990)}.5)]`,
        ),
      ],
    },
    {
      key: 'compare',
      optional: true,
      calls: (s) => [read(`reports/${s.lastWeek}.md`, `# ${s.lastWeek}\n\nTotal: ${s.random.int(900, 4200)}`)],
    },
    {
      key: 'write',
      after: ['sum', 'compare'],
      calls: (s) => [
        call(
          'fs.write',
          { path: `reports/${s.week}.md`, content: `# ${s.week}\n\n${say(s, 'Total', 'Summe')}: ${s.random.int(900, 4200)}\n` },
          'written',
        ),
      ],
    },
    { key: 'pdf', after: ['write'], calls: (s) => [shell(`pandoc reports/${s.week}.md -o reports/${s.week}.pdf`)] },
  ],
}

const backup: Routine = {
  key: 'backup',
  about: 'Backup of a data folder to the NAS with checksums and a check of the copy',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'the commands are the same each time except for the name and the date',
  skill: null,
  runs: 11,
  projects: ['kassenbuch', 'vereinsbuero', 'radio-log', 'household'],
  variants: null,
  requests: {
    en: [
      () => 'Back up the data folder.',
      (s) => `Save ${s.project} to the NAS and make sure the copy is good.`,
      () => 'Backup, please, and verify it.',
      () => 'I am about to reinstall this machine. Is everything safe on the NAS?',
      (s) => `Archive data/ as of ${s.date}.`,
    ],
    de: [
      () => 'Bitte eine Sicherung machen.',
      (s) => `Sichere ${s.project} auf das NAS und prüfe die Kopie.`,
      () => 'Datensicherung, bitte mit Kontrolle.',
      (s) => `Leg den Stand vom ${s.date} weg, bevor wir umziehen.`,
      () => 'Kopiere die Daten an den sicheren Ort.',
    ],
  },
  answers: {
    en: [() => 'The copy on the NAS has the same checksum.', (s) => `${s.project}-${s.date}.tar.gz is stored and verified.`],
    de: [() => 'Gesichert und geprüft.', () => 'Die Prüfsumme auf dem NAS stimmt.'],
  },
  steps: [
    {
      key: 'space',
      optional: true,
      calls: (s) => [shell('df -h /mnt/nas', `/dev/sdb1 3.6T ${s.random.int(1, 3)}.${s.random.int(0, 9)}T`)],
    },
    {
      key: 'pack',
      after: ['space'],
      fails: 'tar: data/session.lock: file changed as we read it',
      calls: (s) => [shell(`tar -czf backups/${s.project}-${s.date}.tar.gz data`)],
    },
    {
      key: 'hash',
      after: ['pack'],
      calls: (s) => [shell(`sha256sum backups/${s.project}-${s.date}.tar.gz > backups/${s.project}-${s.date}.sha256`)],
    },
    {
      key: 'contents',
      after: ['pack'],
      optional: true,
      calls: (s) => [shell(`tar -tzf backups/${s.project}-${s.date}.tar.gz | wc -l`, String(s.random.int(90, 4000)))],
    },
    { key: 'copy', after: ['pack'], calls: (s) => [shell(`rsync -a backups/ /mnt/nas/${s.project}/`)] },
    {
      key: 'verify',
      after: ['copy', 'hash'],
      calls: (s) => [shell(`cd /mnt/nas/${s.project} && sha256sum -c ${s.project}-${s.date}.sha256`, `${s.project}-${s.date}.tar.gz: OK`)],
    },
    {
      key: 'log',
      after: ['hash'],
      optional: true,
      calls: (s) => [edit('backups/log.md', '| date | file |\n', `| date | file |\n| ${s.date} | ${s.project}-${s.date}.tar.gz |\n`)],
    },
  ],
}

const packages = ['vite', 'preact', 'eslint', 'date-fns', 'fastify', 'leaflet', 'marked', 'zod', 'esbuild']

const dependencies: Routine = {
  key: 'dependencies',
  about: 'Update of npm packages: outdated, audit, update, build, test, commit',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'which packages to update, and what to do after a breaking change, has to be decided',
  skill: null,
  runs: 9,
  projects: ['tide-clock', 'bike-map', 'seed-shop', 'chor-website'],
  variants: null,
  requests: {
    en: [
      () => 'Update the dependencies.',
      () => 'Bring our packages up to date, but keep it working.',
      () => 'There are security warnings again. Please take care of the packages.',
      (s) => `${s.project} has not been updated for a month. Do the usual round.`,
      () => 'Monthly package maintenance.',
    ],
    de: [
      () => 'Aktualisiere die Abhängigkeiten.',
      () => 'Die Pakete sind alt, bring sie bitte auf Stand.',
      () => 'npm meldet Sicherheitslücken, kümmerst du dich darum?',
      () => 'Bitte die monatliche Paketpflege.',
    ],
  },
  answers: {
    en: [(s) => `${s.random.int(3, 11)} packages updated, tests pass.`, () => 'Everything is current.'],
    de: [() => 'Alle Pakete sind aktuell, die Tests laufen.', (s) => `${s.random.int(2, 8)} Pakete aktualisiert.`],
  },
  steps: [
    { key: 'outdated', calls: (s) => [shell('npm outdated', `${s.random.pick(packages)}  2.1.0  2.4.1  3.0.0`)] },
    { key: 'audit', optional: true, calls: (s) => [shell('npm audit --omit=dev', `${s.random.int(0, 4)} vulnerabilities`)] },
    {
      key: 'notes',
      after: ['outdated'],
      optional: true,
      calls: (s) => [
        call('web.fetch', { url: `https://registry.example.com/${s.random.pick(packages)}/changelog` }, '## 3.0.0\n\n- Drops old browsers'),
      ],
    },
    {
      key: 'update',
      after: ['outdated', 'audit'],
      calls: (s) => [
        s.random.chance(0.7)
          ? shell('npm update', `changed ${s.random.int(3, 40)} packages`)
          : shell(`npm update ${s.random.pick(packages)} ${s.random.pick(packages)}`, `changed ${s.random.int(2, 9)} packages`),
      ],
    },
    { key: 'build', after: ['update'], calls: (s) => [shell('npm run build', `built in ${s.random.int(2, 9)}.${s.random.int(1, 9)}s`)] },
    {
      key: 'test',
      after: ['update'],
      fails: 'TypeError: format is not a function',
      calls: (s) => [shell('npm test', `${s.random.int(18, 240)} passing`)],
    },
    {
      key: 'commit',
      after: ['build', 'test'],
      optional: true,
      calls: (s) => [shell(`git commit -am "${say(s, 'Update packages', 'Pakete aktualisiert')} ${s.month}"`, '2 files changed')],
    },
  ],
}

const pages = ['', 'contact', 'prices', 'calendar', 'imprint', 'shop', 'news']

const port = (scene: Scene) => (scene.project.length % 2 ? 4173 : 4300)

const screenshots: Routine = {
  key: 'screenshots',
  about: 'Pictures of the pages of a local preview for a review',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'a skill for it exists and is bound to no agent',
  skill: 'page-pictures',
  runs: 8,
  projects: ['chor-website', 'mensa-menu', 'seed-shop', 'bike-map'],
  variants: null,
  requests: {
    en: [
      () => 'Take pictures of the pages for the review.',
      () => 'I want to show the board how the site looks now.',
      (s) => `Screenshots of ${s.project}, please, like last time.`,
      () => 'Make a sheet with the current pages.',
    ],
    de: [
      () => 'Mach bitte Bilder von den Seiten für die Durchsicht.',
      () => 'Der Vorstand will sehen, wie die Seiten aussehen.',
      (s) => `Bildschirmfotos von ${s.project}, bitte.`,
      () => 'Halte den Stand der Oberfläche in Bildern fest.',
    ],
  },
  answers: {
    en: [(s) => `The pictures are in review/${s.date}.`],
    de: [(s) => `Die Bilder liegen in review/${s.date}.`],
  },
  steps: [
    { key: 'serve', calls: (s) => [shell(`npm run preview -- --port ${port(s)} &`, `Local: http://localhost:${port(s)}/`)] },
    { key: 'folder', optional: true, calls: (s) => [call('fs.mkdir', { path: `review/${s.date}` }, 'created')] },
    {
      key: 'picture',
      after: ['serve', 'folder'],
      calls: (s) =>
        s.random
          .shuffle(pages)
          .slice(0, s.random.int(2, 4))
          .flatMap((page) => [
            call('browser.open', { url: `http://localhost:${port(s)}/${page}` }, `${s.project} ${page}`),
            ...(s.random.chance(0.75) ? [call('browser.wait', { selector: 'main' }, 'visible')] : []),
            call('browser.screenshot', { path: `review/${s.date}/${page || 'home'}.png` }, '1280 × 800'),
          ]),
    },
    {
      key: 'sheet',
      after: ['picture'],
      calls: (s) => [call('fs.write', { path: `review/${s.date}/index.md`, content: `# ${s.project}, ${s.date}\n` }, 'written')],
    },
    { key: 'stop', after: ['picture'], optional: true, calls: (s) => [call('process.kill', { pid: s.random.int(2000, 60000) }, 'ended')] },
  ],
}

export const routines: Routine[] = [release, triage, report, backup, dependencies, screenshots]
