import type { Routine } from '../plan.ts'
import { call, edit, read, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const release: Routine = {
  key: 'release',
  about: 'Release of a Python package: version, notes, tests, build, check, signed tag, release page',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the notes have to be written, and a skill for it exists',
  skill: 'python-release',
  runs: 9,
  projects: ['pegelstand', 'invoice-parser', 'freight-quotes', 'solar-log'],
  variants: null,
  requests: {
    en: [
      (s) => `Please do the ${s.version} release of the package.`,
      (s) => `${s.project} ${s.version} can go out today.`,
      (s) => `Prepare and publish ${s.version}, notes included.`,
      () => 'The milestone is closed, so build and announce the package.',
      (s) => `People are waiting for ${s.version}.`,
    ],
    de: [
      (s) => `Das Paket soll als ${s.version} erscheinen.`,
      (s) => `Bau und veröffentliche ${s.project} ${s.version}.`,
      () => 'Der Meilenstein ist zu, bitte das Paket herausbringen.',
      (s) => `Bitte ${s.version} mit Notizen auf die Releaseseite.`,
    ],
  },
  answers: {
    en: [(s) => `${s.project} ${s.version} is on the release page.`, () => 'Published.'],
    de: [(s) => `${s.version} steht auf der Releaseseite.`, () => 'Das Paket ist draußen.'],
  },
  steps: [
    { key: 'version', calls: (s) => [edit('pyproject.toml', `version = "${s.previous}"`, `version = "${s.version}"`)] },
    {
      key: 'notes',
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `docs/releases/${s.version}.md`,
            content: `# ${s.version}\n\n- ${s.random.pick(['Reads gauges in feet', 'Fewer false alarms', 'Neue Ausgabe als JSON', 'Skips empty rows'])}\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'test',
      fails: 'FAILED tests/test_rounding.py::test_half',
      calls: (s) => [shell(s.random.pick(['uv run pytest -q', 'uv run pytest -q', 'uv run pytest']), `${s.random.int(30, 310)} passed`)],
    },
    { key: 'build', after: ['version'], calls: (s) => [shell('uv build', `Successfully built dist/${s.project}-${s.version}.tar.gz`)] },
    {
      key: 'check',
      after: ['build'],
      optional: true,
      calls: (s) => [shell('uvx twine check dist/*', `Checking dist/${s.project}-${s.version}.tar.gz: PASSED`)],
    },
    {
      key: 'tag',
      after: ['version', 'notes', 'test'],
      optional: true,
      calls: (s) => [shell(`git tag -s ${s.version} -F docs/releases/${s.version}.md`)],
    },
    {
      key: 'publish',
      after: ['tag', 'build', 'check'],
      calls: (s) => [
        call(
          'http.request',
          {
            method: 'POST',
            url: `https://git.henrik.example/api/v1/repos/henrik/${s.project}/releases`,
            body: { tag_name: s.version, draft: false },
          },
          '201',
        ),
      ],
    },
  ],
}

const issues = (scene: Scene) => {
  const first = 200 + Number(scene.date.slice(8)) * 7 + scene.project.length * 13
  return [first, first + 2, first + 5, first + 6].slice(0, 2 + (first % 3))
}

const triage: Routine = {
  key: 'triage',
  about: 'Triage of new reports in the issue tracker: read, look for duplicates, label, summarize',
  gap: 'skill_gap',
  also: null,
  why: 'each report has to be judged; the registry has nothing for it',
  skill: null,
  runs: 12,
  projects: ['pegelstand', 'freight-quotes', 'hoerspiel-feed', 'wahlkarten', 'invoice-parser'],
  variants: null,
  requests: {
    en: [
      () => 'Go through the untriaged issues.',
      () => 'What came in overnight? Label it and tell me what is urgent.',
      (s) => `Triage for ${s.project}, please.`,
      () => 'New bug reports have piled up. Give each one an owner.',
      () => 'Look over the fresh tickets before the stand-up.',
      () => 'Which of the new reports are duplicates? Sort them.',
    ],
    de: [
      () => 'Geh bitte die neuen Meldungen durch.',
      () => 'Sichte die Tickets und vergib Labels.',
      (s) => `Bei ${s.project} sind Fehlerberichte eingegangen, ordne sie zu.`,
      () => 'Was ist seit gestern gemeldet worden, und was davon ist dringend?',
      () => 'Bitte die Ticketsichtung.',
    ],
  },
  answers: {
    en: [(s) => `${issues(s).length} issues triaged, one is urgent.`, () => 'All new issues have labels.'],
    de: [(s) => `${issues(s).length} Meldungen gesichtet.`, () => 'Alle Tickets sind zugeordnet.'],
  },
  steps: [
    {
      key: 'fetch',
      calls: (s) => [
        call(
          'mcp.tracker.list_issues',
          { project: s.project, state: 'open', label: 'untriaged' },
          issues(s)
            .map((number) => `#${number}`)
            .join(' '),
        ),
      ],
    },
    {
      key: 'read',
      after: ['fetch'],
      calls: (s) =>
        issues(s).map((number) =>
          call(
            'mcp.tracker.get_issue',
            { project: s.project, number },
            say(s, 'It stops after the second file.', 'Nach der zweiten Datei ist Schluss.'),
          ),
        ),
    },
    {
      key: 'duplicates',
      after: ['read'],
      optional: true,
      calls: (s) => [
        call(
          'mcp.tracker.search_issues',
          { project: s.project, query: s.random.pick(['stops after second file', 'timeout', 'Umlaut', 'empty page', 'rounding']) },
          `${s.random.int(0, 3)} results`,
        ),
      ],
    },
    {
      key: 'source',
      after: ['read'],
      optional: true,
      calls: (s) => [
        call(
          'fs.search',
          { path: 'src', pattern: s.random.pick(['def parse', 'raise ValueError', 'timeout=', 'round(']) },
          `${s.random.int(1, 9)} matches`,
        ),
      ],
    },
    {
      key: 'label',
      after: ['read', 'duplicates'],
      calls: (s) =>
        issues(s).map((number) =>
          call(
            'mcp.tracker.update_issue',
            {
              project: s.project,
              number,
              labels: [s.random.pick(['bug', 'question', 'duplicate', 'feature'])],
              assignee: s.random.pick(['ines', 'torben', 'li']),
            },
            'updated',
          ),
        ),
    },
    {
      key: 'summary',
      after: ['read'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `triage/${s.date}.md`,
            content: `# ${s.date}\n\n${issues(s)
              .map((number) => `- #${number}`)
              .join('\n')}\n`,
          },
          'written',
        ),
      ],
    },
  ],
}

const report: Routine = {
  key: 'report',
  about: 'Weekly overview of hours: download the CSV, sum it up, write the HTML page, link it',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'everything follows from the number of the week; a skill that only draws charts does not match',
  skill: null,
  runs: 13,
  projects: ['lab-notebook', 'freight-quotes', 'solar-log'],
  variants: ['database', 'script'],
  requests: {
    en: [
      (s) => `Overview of the hours in ${s.week}, please.`,
      (s) => `Who worked on what in ${s.week}? Put it on the page.`,
      () => 'The timesheet summary for the week that just ended.',
      () => 'It is Friday: hours.',
      (s) => `Publish the ${s.week} hours next to the older ones.`,
      () => 'Fetch the time export and make the usual table.',
    ],
    de: [
      (s) => `Die Stundenübersicht ${s.week}, bitte.`,
      (s) => `Werte die Zeiten der KW ${s.week.slice(6)} aus.`,
      () => 'Freitag, also Stunden: bitte die Seite für diese Woche.',
      () => 'Hol den Export der Zeiterfassung und bau die Tabelle.',
      (s) => `Stell die Auswertung von ${s.week} zu den anderen.`,
      () => 'Wie viele Stunden waren es diese Woche je Projekt?',
    ],
  },
  answers: {
    en: [(s) => `hours/${s.week}.html is linked.`, (s) => `${s.random.int(90, 210)} hours in ${s.week}.`],
    de: [(s) => `hours/${s.week}.html ist verlinkt.`, (s) => `Zusammen ${s.random.int(90, 210)} Stunden.`],
  },
  steps: [
    {
      key: 'download',
      calls: (s) => [shell(`curl -fsS -o hours/${s.week}.csv 'https://zeiten.henrik.example/export.csv?week=${s.week}'`)],
    },
    {
      key: 'sum',
      after: ['download'],
      calls: (s, variant) =>
        variant === 'script'
          ? [
              call(
                'script.run',
                {
                  language: 'python',
                  code: `import pandas as pd\nhours = pd.read_csv("hours/${s.week}.csv")\nprint(hours.groupby("project").hours.sum().to_csv())\n`,
                },
                `project,hours\n${s.project},${s.random.int(20, 90)}`,
              ),
            ]
          : [
              shell(`sqlite3 hours/hours.db ".import --csv hours/${s.week}.csv week_${s.week.replace('-', '_')}"`),
              shell('sqlite3 -header -csv hours/hours.db < sql/weekly.sql', `project,hours\n${s.project},${s.random.int(20, 90)}`),
            ],
    },
    {
      key: 'holidays',
      optional: true,
      calls: (s) => [call('kb.search', { query: say(s, `public holidays ${s.month}`, `Feiertage ${s.month}`) }, 'none')],
    },
    {
      key: 'page',
      after: ['sum', 'holidays'],
      calls: (s) => [call('fs.write', { path: `hours/${s.week}.html`, content: `<h1>${s.week}</h1>\n<table></table>\n` }, 'written')],
    },
    {
      key: 'link',
      after: ['download'],
      optional: true,
      calls: (s) => [edit('hours/index.html', '<ul>', `<ul>\n<li><a href="${s.week}.html">${s.week}</a></li>`)],
    },
  ],
}

const backup: Routine = {
  key: 'backup',
  about: 'Dump of a database, checked, into an encrypted repository that is checked as well',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'the commands are the same each time except for the name and the date; the picture skill with “backup” in its name does not match',
  skill: null,
  runs: 8,
  projects: ['pegelstand', 'vogelzug', 'wahlkarten', 'solar-log'],
  variants: null,
  requests: {
    en: [
      () => 'Dump the database before I migrate it.',
      (s) => `I need a safe copy of the ${s.project} tables.`,
      () => 'Put tonight’s state of the database away and check that it can be read.',
      () => 'Nightly dump failed, do it by hand.',
    ],
    de: [
      () => 'Zieh bitte einen Abzug der Datenbank.',
      (s) => `Vor der Migration von ${s.project}: Datenbank wegsichern.`,
      () => 'Der nächtliche Abzug fehlt, hol ihn nach und prüf ihn.',
      () => 'Leg die Tabellen verschlüsselt ab.',
    ],
  },
  answers: {
    en: [() => 'The dump is readable and stored.', () => 'Stored; the repository has no errors.'],
    de: [() => 'Der Abzug ist lesbar und abgelegt.', () => 'Alles gesichert, keine Fehler.'],
  },
  steps: [
    {
      key: 'dump',
      fails: 'pg_dump: error: connection to server failed',
      calls: (s) => [shell(`pg_dump -Fc -f dumps/${s.project}-${s.date}.dump ${s.project}`)],
    },
    {
      key: 'readable',
      after: ['dump'],
      calls: (s) => [shell(`pg_restore --list dumps/${s.project}-${s.date}.dump | wc -l`, String(s.random.int(40, 300)))],
    },
    {
      key: 'store',
      after: ['dump'],
      calls: (s) => [shell(`restic backup dumps --tag ${s.project}`, `snapshot ${s.random.int(1000, 9999)}c3f saved`)],
    },
    {
      key: 'check',
      after: ['store'],
      calls: (s) => [shell(`restic check --read-data-subset=${s.random.pick(['5%', '5%', '10%'])}`, 'no errors were found')],
    },
    {
      key: 'forget',
      after: ['store'],
      optional: true,
      calls: () => [shell('restic forget --keep-weekly 8 --prune', '3 snapshots removed')],
    },
    {
      key: 'remove',
      after: ['store', 'readable'],
      optional: true,
      calls: (s) => [
        call('fs.delete', { path: `dumps/${s.project}-${new Date(s.at - 14 * 86_400_000).toISOString().slice(0, 10)}.dump` }, 'deleted'),
      ],
    },
  ],
}

const libraries = ['httpx', 'pydantic', 'pandas', 'lxml', 'shapely', 'click', 'feedparser', 'sqlalchemy']

const dependencies: Routine = {
  key: 'dependencies',
  about: 'Upgrade of Python libraries on a branch: look, read about breaking changes, lock, type check, tests, note',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'breaking changes have to be judged, and a skill for it exists',
  skill: 'uv-upgrade',
  runs: 11,
  projects: ['invoice-parser', 'hoerspiel-feed', 'vogelzug', 'freight-quotes'],
  variants: null,
  requests: {
    en: [
      () => 'Upgrade the libraries on a branch.',
      () => 'See which libraries are behind and move them forward.',
      (s) => `${s.project}: quarterly upgrade.`,
      () => 'We are two majors behind on some things. Catch up carefully.',
      () => 'Renew the lock file with the current versions and check the types.',
    ],
    de: [
      () => 'Heb die Bibliotheken auf den neuesten Stand, auf einem eigenen Zweig.',
      () => 'Welche Bibliotheken sind veraltet? Bitte anheben.',
      () => 'Versionspflege, bitte mit Typprüfung.',
      (s) => `Bring die Bibliotheken von ${s.project} voran, vorsichtig.`,
      () => 'Die Warnungen wegen alter Versionen sollen weg.',
    ],
  },
  answers: {
    en: [(s) => `The branch deps/${s.date} is green.`, () => 'Upgraded; nothing broke.'],
    de: [(s) => `Der Zweig deps/${s.date} ist grün.`, () => 'Angehoben, nichts ist kaputt.'],
  },
  steps: [
    { key: 'branch', optional: true, calls: (s) => [shell(`git switch -c deps/${s.date}`, `Switched to a new branch 'deps/${s.date}'`)] },
    { key: 'look', calls: (s) => [shell('uv tree --outdated --depth 1', `${s.random.pick(libraries)} v1.9.2 (latest: v2.0.1)`)] },
    {
      key: 'breaking',
      after: ['look'],
      optional: true,
      calls: (s) => [call('web.search', { query: `${s.random.pick(libraries)} changelog breaking changes` }, '3 results')],
    },
    {
      key: 'lock',
      after: ['look', 'branch'],
      calls: (s) =>
        s.random
          .shuffle(libraries)
          .slice(0, s.random.int(1, 3))
          .map((library) => shell(`uv lock --upgrade-package ${library}`, `Updated ${library} v1.9.2 -> v2.0.1`)),
    },
    { key: 'types', after: ['lock'], calls: () => [shell('uv run mypy src', 'Success: no issues found')] },
    {
      key: 'test',
      after: ['lock'],
      fails: 'ImportError: cannot import name',
      calls: (s) => [shell('uv run pytest -q', `${s.random.int(30, 310)} passed`)],
    },
    {
      key: 'note',
      after: ['lock'],
      calls: (s) => [edit('docs/dependencies.md', '# Dependencies\n', `# Dependencies\n\n${s.date}: ${s.random.pick(libraries)}\n`)],
    },
  ],
}

const screens = ['start', 'map', 'list', 'detail', 'settings', 'help', 'about']

const screenshots: Routine = {
  key: 'screenshots',
  about: 'Pictures of pages on the staging server with their console messages, for a review',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'the same calls for a list of pages; the registry has nothing for it',
  skill: null,
  runs: 10,
  projects: ['wahlkarten', 'vogelzug', 'pegelstand', 'lab-notebook'],
  variants: null,
  requests: {
    en: [
      () => 'Capture the staging pages for QA.',
      () => 'Show me every screen in German as it is on staging, with its console errors.',
      (s) => `Visual check of ${s.project} before the demo.`,
      () => 'The designer wants to see the current screens.',
      () => 'Collect how the pages look and what they log.',
    ],
    de: [
      () => 'Nimm die Seiten auf staging für die Abnahme auf.',
      () => 'Die Gestalterin will die Ansichten sehen, bitte ablichten.',
      (s) => `Sichtprüfung von ${s.project} vor der Vorführung.`,
      () => 'Wie sehen die Seiten auf Deutsch aus, und was steht in der Konsole?',
      () => 'Bitte die Ansichten für die Abnahme zusammenstellen.',
    ],
  },
  answers: {
    en: [(s) => `qa/${s.date}/ has the pictures, one page logs a warning.`, () => 'All screens captured.'],
    de: [(s) => `Alles in qa/${s.date}/.`, () => 'Die Ansichten sind aufgenommen.'],
  },
  steps: [
    {
      key: 'known',
      optional: true,
      calls: (s) => [read('qa/known-defects.md', say(s, '- The legend is cut off', '- Legende abgeschnitten'))],
    },
    {
      key: 'capture',
      calls: (s) =>
        s.random
          .shuffle(screens)
          .slice(0, s.random.int(2, 4))
          .flatMap((screen) => [
            call('browser.open', { url: `https://staging.henrik.example/${s.project}/${screen}` }, screen),
            ...(s.random.chance(0.6) ? [call('browser.select', { selector: '#language', value: 'de' }, 'selected')] : []),
            ...s.random.shuffle([
              call('browser.screenshot', { path: `qa/${s.date}/${screen}.png` }, '1440 × 900'),
              call('browser.console_logs', {}, s.random.chance(0.3) ? 'warning: slow tile' : ''),
            ]),
          ]),
    },
    {
      key: 'requests',
      after: ['capture'],
      calls: (s) => [call('browser.network_logs', {}, `${s.random.int(20, 90)} requests`)],
    },
    {
      key: 'sheet',
      after: ['capture'],
      calls: (s) => [call('fs.write', { path: `qa/${s.date}/index.html`, content: `<h1>${s.project} ${s.date}</h1>\n` }, 'written')],
    },
    {
      key: 'announce',
      after: ['sheet'],
      optional: true,
      calls: (s) => [
        call(
          'mcp.chat.post_message',
          { channel: 'qa', text: say(s, `Screens of ${s.project}, ${s.date}`, `Ansichten von ${s.project}, ${s.date}`) },
          'posted',
        ),
      ],
    },
  ],
}

export const routines: Routine[] = [release, triage, report, backup, dependencies, screenshots]
