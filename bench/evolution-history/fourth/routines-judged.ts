import type { Routine } from '../plan.ts'
import { call, edit, read, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

/** The same in the request and in the calls of a run. */
const issue = (scene: Scene) => 20 + Number(scene.week.slice(6)) + scene.project.length

export const newsletter: Routine = {
  key: 'newsletter',
  about: 'Newsletter: dates from the calendar, articles of the month, text, HTML, check of its links, campaign as a draft',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the text has to be written from the articles; a skill that fills letter templates does not match',
  skill: null,
  runs: 9,
  projects: ['stadtteilblatt', 'segelschule', 'bilderkiste'],
  variants: null,
  requests: {
    en: [
      (s) => `newsletter ${issue(s)} is due, please prepare it.`,
      (s) => `Put together issue ${issue(s)} from what we have.`,
      () => 'Next newsletter please, as a draft.',
      (s) => `Can you get number ${issue(s)} of the newsletter ready?`,
    ],
    de: [
      (s) => `newsletter ${issue(s)} steht an, bereite ihn bitte vor.`,
      (s) => `Stell die Ausgabe ${issue(s)} zusammen.`,
      () => 'Der nächste Newsletter bitte, als Entwurf.',
      (s) => `Machst du Nummer ${issue(s)} vom Newsletter fertig?`,
    ],
  },
  answers: {
    en: [(s) => `Issue ${issue(s)} is ready as a draft.`, () => 'The draft of the campaign is saved.'],
    de: [(s) => `Ausgabe ${issue(s)} liegt als Entwurf bereit.`, () => 'Der Entwurf der Kampagne ist gespeichert.'],
  },
  steps: [
    {
      key: 'dates',
      calls: (s) => [call('mcp.calendar.list_events', { calendar: 'public', from: s.date, days: 30 }, `${s.random.int(2, 12)} events`)],
    },
    {
      key: 'articles',
      calls: (s) => {
        const article = s.random.pick(['hafen', 'markt', 'schule', 'garten', 'verkehr', 'leute'])
        return [
          call('fs.list', { path: `beitraege/${s.month}` }, `${article}.md`),
          read(`beitraege/${s.month}/${article}.md`, say(s, 'Since Monday …', 'Seit Montag …')),
        ]
      },
    },
    { key: 'previous', optional: true, calls: (s) => [read(`ausgaben/${issue(s) - 1}.mjml`, '<mjml>')] },
    {
      key: 'text',
      after: ['dates', 'articles', 'previous'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `ausgaben/${issue(s)}.mjml`,
            content: `<mjml><mj-body>${s.random.pick(['Spring at last', 'Neues vom Steg', 'What happens in the harbor', 'Markt am Samstag'])}</mj-body></mjml>\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'html',
      after: ['text'],
      fails: 'Error: Element mj-txt does not exist',
      calls: (s) => [shell(`mjml ausgaben/${issue(s)}.mjml -o ausgaben/${issue(s)}.html`)],
    },
    {
      key: 'links',
      after: ['html'],
      optional: true,
      calls: (s) => [shell(`lychee --no-progress ausgaben/${issue(s)}.html`, `${s.random.int(6, 30)} OK`)],
    },
    {
      key: 'campaign',
      after: ['html', 'links'],
      calls: (s) => [
        call(
          'mcp.listmonk.create_campaign',
          { name: `${s.project}-${issue(s)}`, list: say(s, 'readers', 'leser'), body: `ausgaben/${issue(s)}.html`, status: 'draft' },
          'draft',
        ),
      ],
    },
  ],
}

const students = ['kaya', 'sommer', 'nguyen', 'brandt', 'okafor', 'lindt', 'moreno', 'weiss']
const student = (scene: Scene) => students[Math.floor(scene.at / 1000) % students.length] ?? ''
const sheet = (scene: Scene) => String((Number(scene.week.slice(6)) % 12) + 1).padStart(2, '0')

export const grading: Routine = {
  key: 'grading',
  about: 'Homework of a student: unpack, run the tests, read the code, write feedback, enter the points',
  gap: 'skill_gap',
  also: null,
  why: 'the code has to be read and judged; a skill that draws the distribution of grades does not match',
  skill: null,
  runs: 12,
  projects: ['python-kurs', 'algo-uebung', 'daten-labor'],
  variants: null,
  requests: {
    en: [
      (s) => `grade ${student(s)}, sheet ${sheet(s)}.`,
      (s) => `${student(s)} handed in sheet ${sheet(s)}, have a look.`,
      (s) => `Points and feedback for ${student(s)} please.`,
      (s) => `Sheet ${sheet(s)}: what do you make of ${student(s)}'s solution?`,
      (s) => `Next one is ${student(s)}.`,
    ],
    de: [
      (s) => `korrigier mal ${student(s)}, Blatt ${sheet(s)}.`,
      (s) => `${student(s)} hat Blatt ${sheet(s)} abgegeben, schau bitte drüber.`,
      (s) => `Punkte und Rückmeldung für ${student(s)} bitte.`,
      (s) => `Blatt ${sheet(s)}: wie gut ist die Lösung von ${student(s)}?`,
      (s) => `Jetzt noch ${student(s)}.`,
    ],
  },
  answers: {
    en: [(s) => `${student(s)} gets ${s.random.int(4, 10)} of 10 points.`, () => 'Feedback and points are entered.'],
    de: [(s) => `${student(s)} bekommt ${s.random.int(4, 10)} von 10 Punkten.`, () => 'Rückmeldung und Punkte sind eingetragen.'],
  },
  steps: [
    {
      key: 'unpack',
      fails: 'unzip:  cannot find or open the archive',
      calls: (s) => [shell(`unzip -o abgaben/${sheet(s)}/${student(s)}.zip -d work/${student(s)}`, 'inflating: loesung.py')],
    },
    {
      key: 'tests',
      after: ['unpack'],
      calls: (s) => [
        shell(
          `pytest -q --timeout=20 tests/blatt${sheet(s)} --solution work/${student(s)}`,
          `${s.random.int(1, 9)} passed, ${s.random.int(0, 4)} failed`,
        ),
      ],
    },
    {
      key: 'style',
      after: ['unpack'],
      optional: true,
      calls: (s) => [shell(`ruff check work/${student(s)}`, `Found ${s.random.int(0, 14)} errors.`)],
    },
    { key: 'read', after: ['unpack'], calls: (s) => [read(`work/${student(s)}/loesung.py`, 'def solve(items):')] },
    {
      key: 'earlier',
      optional: true,
      calls: (s) => [call('fs.search', { path: 'feedback', pattern: student(s) }, `${s.random.int(0, 6)} matches`)],
    },
    {
      key: 'feedback',
      after: ['tests', 'style', 'read', 'earlier'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `feedback/${sheet(s)}/${student(s)}.md`,
            content: `# ${say(s, 'Sheet', 'Blatt')} ${sheet(s)}\n\n${s.random.pick(['Nice use of sets.', 'Die Schleife ist unnötig.', 'Edge case missing.', 'Gut lesbar.', 'Too slow for large input.'])}\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'points',
      after: ['tests', 'read'],
      calls: (s) => [
        call(
          'mcp.sheets.append_row',
          { sheet: 'punkte', row: { name: student(s), blatt: sheet(s), punkte: s.random.int(4, 10) } },
          'added',
        ),
      ],
    },
  ],
}

const areas = ['booking', 'search', 'upload', 'calendar', 'notify', 'export']
const area = (scene: Scene) => areas[Math.floor(scene.at / 1000) % areas.length] ?? ''
const ticket = (scene: Scene) => 300 + (Math.floor(scene.at / 60_000) % 600)

export const bugfix: Routine = {
  key: 'bugfix',
  about: 'Fix of a reported bug: ticket, code, failing test, change, passing test, answer in the ticket',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the cause has to be found, and a skill for it exists',
  skill: 'fix-with-test',
  runs: 10,
  projects: ['ticket-desk', 'segelschule', 'bilderkiste', 'daten-labor'],
  variants: null,
  requests: {
    en: [
      (s) => `fix #${ticket(s)}.`,
      (s) => `#${ticket(s)} came back, something with ${area(s)}.`,
      (s) => `Can you look at bug ${ticket(s)} and fix it?`,
      (s) => `Ticket ${ticket(s)} please, with a test.`,
    ],
    de: [
      (s) => `behebe #${ticket(s)}.`,
      (s) => `#${ticket(s)} ist wieder da, irgendwas mit ${area(s)}.`,
      (s) => `Kannst du dir Bug ${ticket(s)} vornehmen?`,
      (s) => `Ticket ${ticket(s)} bitte, mit Test.`,
    ],
  },
  answers: {
    en: [(s) => `#${ticket(s)} is fixed, the test passes.`, () => 'Fixed; I answered in the ticket.'],
    de: [(s) => `#${ticket(s)} ist behoben, der Test läuft.`, () => 'Behoben, die Antwort steht im Ticket.'],
  },
  steps: [
    {
      key: 'ticket',
      calls: (s) => [
        call(
          'mcp.forge.get_issue',
          { repository: s.project, number: ticket(s) },
          say(s, `${area(s)}: empty result`, `${area(s)}: leeres Ergebnis`),
        ),
      ],
    },
    { key: 'branch', optional: true, calls: (s) => [shell(`git switch -c fix/${ticket(s)}`, 'Switched to a new branch')] },
    {
      key: 'code',
      after: ['ticket'],
      calls: (s) => [
        call(
          'fs.search',
          { path: `internal/${area(s)}`, pattern: s.random.pick(['func', 'nil', 'len(', 'Time', 'err']) },
          `${s.random.int(1, 20)} matches`,
        ),
      ],
    },
    {
      key: 'test',
      after: ['ticket', 'branch'],
      calls: (s) => [
        call(
          'fs.write',
          { path: `internal/${area(s)}/issue${ticket(s)}_test.go`, content: `func TestIssue${ticket(s)}(t *testing.T) {\n}\n` },
          'written',
        ),
      ],
    },
    {
      key: 'red',
      after: ['test'],
      calls: (s) => [shell(`go test ./internal/${area(s)} -run TestIssue${ticket(s)}`, 'FAIL', 'failed')],
    },
    {
      key: 'change',
      after: ['red', 'code'],
      calls: (s) => [
        edit(
          `internal/${area(s)}/${area(s)}.go`,
          s.random.pick(['if n > 0 {', 'return nil', 'i <= len(items)', 'time.Now()']),
          s.random.pick(['if n >= 0 {', 'return err', 'i < len(items)', 'clock.Now()']),
        ),
      ],
    },
    { key: 'green', after: ['change'], calls: (s) => [shell(`go test ./internal/${area(s)} -run TestIssue${ticket(s)}`, 'ok')] },
    { key: 'vet', after: ['change'], optional: true, calls: () => [shell('go vet ./...')] },
    {
      key: 'answer',
      after: ['green', 'vet'],
      calls: (s) => [
        call(
          'mcp.forge.comment_issue',
          { repository: s.project, number: ticket(s), text: say(s, `Fixed in ${area(s)}.`, `In ${area(s)} behoben.`) },
          'posted',
        ),
      ],
    },
  ],
}
