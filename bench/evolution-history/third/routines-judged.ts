import type { Routine } from '../plan.ts'
import { call, edit, read, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const services = ['booking', 'reminder', 'gateway', 'importer', 'mailer']
/** The same in the request and in the calls of a run. */
const service = (scene: Scene) => services[Math.floor(scene.at / 1000) % services.length] ?? ''

export const incident: Routine = {
  key: 'incident',
  about: 'Review of an alarm: state of the containers, logs, metric, likely cause in the code, write-up, follow-up',
  gap: 'skill_gap',
  also: null,
  why: 'the cause has to be judged from logs and code; the registry has nothing for it',
  skill: null,
  runs: 11,
  projects: ['clinic-booking', 'rainfall-api', 'fablab-shop', 'kursplan'],
  variants: null,
  requests: {
    en: [
      (s) => `The alarm for ${service(s)} went off at night. What happened?`,
      (s) => `${service(s)} restarted on its own again.`,
      (s) => `Look into the outage of ${service(s)} and write it up.`,
      () => 'Pager went off at four. Post-mortem, please.',
      (s) => `Users saw errors from ${service(s)} this morning.`,
    ],
    de: [
      (s) => `Heute Nacht hat ${service(s)} Alarm geschlagen. Was war los?`,
      (s) => `${service(s)} ist schon wieder von selbst neu gestartet.`,
      (s) => `Untersuch den Ausfall von ${service(s)} und schreib ihn auf.`,
      () => 'Um vier ging der Piepser, bitte aufarbeiten.',
      (s) => `Seit heute früh kommen Fehler aus ${service(s)}.`,
    ],
  },
  answers: {
    en: [(s) => `${service(s)} ran out of connections; see the write-up.`, () => 'The write-up has the cause and a follow-up.'],
    de: [(s) => `${service(s)} hatte keine Verbindungen mehr, siehe Bericht.`, () => 'Ursache und Folgeaufgabe stehen im Bericht.'],
  },
  steps: [
    { key: 'state', optional: true, calls: (s) => [shell('docker compose ps', `${service(s)}  Up 3 hours`)] },
    {
      key: 'logs',
      after: ['state'],
      fails: 'no such service',
      calls: (s) => [
        shell(
          `docker compose logs --since 12h --no-color ${service(s)}`,
          s.random.pick(['too many connections', 'context deadline exceeded', 'out of memory', 'retry 5 of 5']),
        ),
      ],
    },
    {
      key: 'metric',
      calls: (s) => [
        call(
          'http.request',
          { method: 'GET', url: `https://metrics.ruth.example/api/v1/query_range?query=up{job="${service(s)}"}` },
          '{"status":"success"}',
        ),
      ],
    },
    {
      key: 'code',
      after: ['logs'],
      calls: (s) => [
        call(
          'fs.search',
          { path: `services/${service(s)}`, pattern: s.random.pick(['maxConnections', 'setTimeout', 'retry', 'heap']) },
          `${s.random.int(1, 6)} matches`,
        ),
        read(`services/${service(s)}/config.ts`, 'maxConnections: 10'),
      ],
    },
    {
      key: 'earlier',
      optional: true,
      calls: (s) => [call('kb.search', { query: `${service(s)} ${say(s, 'outage', 'Ausfall')}` }, `${s.random.int(0, 3)} passages`)],
    },
    {
      key: 'report',
      after: ['logs', 'metric', 'code'],
      calls: (s) => [
        call(
          'fs.write',
          { path: `incidents/${s.date}-${service(s)}.md`, content: `# ${service(s)}\n\n${say(s, 'Cause', 'Ursache')}: …\n` },
          'written',
        ),
      ],
    },
    {
      key: 'todo',
      after: ['code'],
      calls: (s) => [
        call('todo.create', { title: say(s, `Raise the limit of ${service(s)}`, `Grenze von ${service(s)} anheben`) }, 'created'),
      ],
    },
  ],
}

const topics = ['tipping bucket bias', 'choir acoustics', 'no-show prediction', 'radar rainfall', 'film scanning', 'booking fairness']
const topic = (scene: Scene) => topics[Math.floor(scene.at / 1000) % topics.length] ?? ''

export const literature: Routine = {
  key: 'literature',
  about: 'A paper for the collection: search, open, add it to the knowledge base, note, reference',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the paper has to be chosen and summarized; a skill for citation styles does not match',
  skill: null,
  runs: 9,
  projects: ['paper-trail', 'rainfall-api', 'chorarchiv'],
  variants: null,
  requests: {
    en: [
      (s) => `Find something recent on ${topic(s)} and file it.`,
      (s) => `Add a good paper about ${topic(s)} to the collection.`,
      (s) => `What is new on ${topic(s)}? One paper, with a note.`,
      (s) => `I need one more reference for ${topic(s)}.`,
    ],
    de: [
      (s) => `Such einen neuen Aufsatz zu „${topic(s)}“ und leg ihn ab.`,
      (s) => `Die Sammlung braucht etwas zu ${topic(s)}.`,
      (s) => `Gibt es Neues zu ${topic(s)}? Ein Text mit Notiz genügt.`,
      (s) => `Mir fehlt noch eine Arbeit über ${topic(s)}.`,
    ],
  },
  answers: {
    en: [(s) => `One paper on ${topic(s)} is filed.`, () => 'The note and the reference are there.'],
    de: [(s) => `Ein Aufsatz zu ${topic(s)} ist abgelegt.`, () => 'Notiz und Eintrag sind da.'],
  },
  steps: [
    { key: 'known', optional: true, calls: (s) => [call('kb.search', { query: topic(s) }, `${s.random.int(0, 4)} passages`)] },
    {
      key: 'search',
      after: ['known'],
      calls: (s) => [call('web.search', { query: `${topic(s)} paper ${s.date.slice(0, 4)}` }, `${s.random.int(5, 10)} results`)],
    },
    {
      key: 'open',
      after: ['search'],
      fails: '403',
      calls: (s) => [
        call(
          'web.fetch',
          { url: `https://papers.example.org/${topic(s).replaceAll(' ', '-')}-${s.random.int(100, 999)}` },
          'Abstract. We …',
        ),
      ],
    },
    { key: 'ingest', after: ['open'], calls: (s) => [call('kb.ingest', { path: `papers/${topic(s).replaceAll(' ', '-')}.pdf` }, 'added')] },
    {
      key: 'note',
      after: ['open'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `reading/${topic(s).replaceAll(' ', '-')}.md`,
            content: `# ${topic(s)}\n\n${s.random.pick(['Small sample', 'Gute Methode', 'Compare with ours', 'Offene Daten'])}\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'reference',
      after: ['open'],
      calls: (s) => [edit('references.bib', '% end', `@article{${topic(s).split(' ')[0]}${s.date.slice(0, 4)}}\n% end`)],
    },
    {
      key: 'remember',
      after: ['note'],
      optional: true,
      calls: (s) => [call('memory.add', { memory_kind: 'semantic', text: `${say(s, 'Read', 'Gelesen')}: ${topic(s)}` }, 'added')],
    },
  ],
}

const fields = ['insurance_no', 'opening_hours', 'station_height', 'voucher_code', 'consent_date', 'room']
const field = (scene: Scene) => fields[Math.floor(scene.at / 1000) % fields.length] ?? ''
const order = (scene: Scene) => String(20 + (Math.floor(scene.at / 86_400_000) % 70)).padStart(4, '0')

export const migration: Routine = {
  key: 'migration',
  about:
    'Change of a database schema: look at the table, write the migration, try it on a copy, take it back, adapt the types, tests, commit',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'what the change means for existing rows has to be decided, and a skill for it exists',
  skill: 'schema-change',
  runs: 10,
  projects: ['clinic-booking', 'kursplan', 'fablab-shop', 'rainfall-api'],
  variants: null,
  requests: {
    en: [
      (s) => `The table needs a column ${field(s)}.`,
      (s) => `Add ${field(s)} to the schema, safely.`,
      (s) => `We have to store ${field(s)} from now on.`,
      (s) => `Migration for ${field(s)}, please.`,
    ],
    de: [
      (s) => `Die Tabelle braucht eine Spalte ${field(s)}.`,
      (s) => `Nimm ${field(s)} ins Schema auf.`,
      (s) => `Ab jetzt müssen wir ${field(s)} speichern.`,
      (s) => `Bitte eine Migration für ${field(s)}.`,
    ],
  },
  answers: {
    en: [(s) => `${field(s)} is in the schema; the migration can be taken back.`, () => 'Migrated on the copy, tests pass.'],
    de: [(s) => `${field(s)} ist im Schema, die Migration lässt sich zurücknehmen.`, () => 'Auf der Kopie migriert, Tests laufen.'],
  },
  steps: [
    { key: 'look', optional: true, calls: () => [shell("psql copy -c '\\d+ entries'", 'id | integer')] },
    {
      key: 'write',
      after: ['look'],
      calls: (s) => [
        call(
          'fs.write',
          { path: `migrations/${order(s)}_${field(s)}.up.sql`, content: `alter table entries add column ${field(s)} text;\n` },
          'written',
        ),
        call(
          'fs.write',
          { path: `migrations/${order(s)}_${field(s)}.down.sql`, content: `alter table entries drop column ${field(s)};\n` },
          'written',
        ),
      ],
    },
    { key: 'copy', optional: true, calls: () => [shell('createdb -T live copy')] },
    {
      key: 'apply',
      after: ['write', 'copy'],
      fails: 'ERROR:  relation "entries" does not exist',
      calls: (s) => [shell(`psql copy -v ON_ERROR_STOP=1 -f migrations/${order(s)}_${field(s)}.up.sql`, 'ALTER TABLE')],
    },
    {
      key: 'back',
      after: ['apply'],
      calls: (s) => [shell(`psql copy -v ON_ERROR_STOP=1 -f migrations/${order(s)}_${field(s)}.down.sql`, 'ALTER TABLE')],
    },
    { key: 'types', after: ['write'], calls: (s) => [edit('src/schema.ts', '// columns', `// columns\n  ${field(s)}: string | null`)] },
    { key: 'test', after: ['apply', 'types'], calls: (s) => [shell('pnpm vitest run schema', `${s.random.int(8, 40)} passed`)] },
    {
      key: 'commit',
      after: ['test', 'back'],
      optional: true,
      calls: (s) => [shell(`git commit -am "schema: ${field(s)}"`, '3 files changed')],
    },
  ],
}
