import type { Routine } from '../plan.ts'
import { call, edit, read, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const people = ['Anna Sommer', 'Deniz Kaya', 'Lukas Brandt', 'Mei Tan', 'Olga Petrova', 'Paul Weiss', 'Rosa Klein', 'Samir Haddad']
/** The same in the request and in the calls of a run. */
const person = (scene: Scene) => people[Math.floor(scene.at / 1000) % people.length] ?? ''
const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')

export const onboarding: Routine = {
  key: 'onboarding',
  about: 'A new member: folder, filled contract, row in the list, date for the introduction, welcome mail as a draft',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'everything follows from the name; the skill for visitors shares only the word “welcome”',
  skill: null,
  runs: 11,
  projects: ['foto-verein', 'fablab-shop', 'chorarchiv', 'kursplan'],
  variants: null,
  requests: {
    en: [
      (s) => `${person(s)} joins us. The usual, please.`,
      (s) => `We have a new member: ${person(s)}.`,
      (s) => `Set everything up for ${person(s)}, who starts next week.`,
      (s) => `Paperwork and welcome mail for ${person(s)}.`,
      (s) => `${person(s)} has signed up, take care of it.`,
    ],
    de: [
      (s) => `${person(s)} ist neu dabei, bitte alles vorbereiten.`,
      (s) => `Neues Mitglied: ${person(s)}.`,
      (s) => `Leg ${person(s)} an, Vertrag und Begrüßung inklusive.`,
      (s) => `${person(s)} hat unterschrieben. Machst du den Rest?`,
      (s) => `Aufnahme ${person(s)}, wie immer.`,
    ],
  },
  answers: {
    en: [(s) => `${person(s)} is set up; the mail waits as a draft.`, () => 'All prepared.'],
    de: [(s) => `${person(s)} ist angelegt, die Mail liegt als Entwurf bereit.`, () => 'Alles vorbereitet.'],
  },
  steps: [
    { key: 'folder', calls: (s) => [call('fs.mkdir', { path: `mitglieder/${slug(person(s))}` }, 'created')] },
    { key: 'template', optional: true, calls: () => [read('vorlagen/vertrag.md', 'Name: {{name}}')] },
    {
      key: 'contract',
      after: ['folder', 'template'],
      calls: (s) => [
        call(
          'fs.write',
          { path: `mitglieder/${slug(person(s))}/vertrag.md`, content: `Name: ${person(s)}\n${say(s, 'From', 'Ab')}: ${s.date}\n` },
          'written',
        ),
      ],
    },
    {
      key: 'row',
      fails: 'database is locked',
      calls: (s) => [shell(`sqlite3 mitglieder.db "insert into members(name, since) values ('${person(s)}', '${s.date}')"`)],
    },
    {
      key: 'appointment',
      optional: true,
      calls: (s) => [
        call(
          'mcp.calendar.create_event',
          { title: say(s, `Introduction ${person(s)}`, `Einführung ${person(s)}`), day: s.date, minutes: 45 },
          'created',
        ),
      ],
    },
    {
      key: 'mail',
      after: ['contract', 'appointment'],
      calls: (s) => [
        call(
          'mcp.mail.create_draft',
          {
            to: `${slug(person(s))}@post.example`,
            subject: s.random.pick(['Welcome', 'Willkommen', 'Willkommen bei uns']),
            attachment: `mitglieder/${slug(person(s))}/vertrag.md`,
          },
          'draft saved',
        ),
      ],
    },
  ],
}

const clients = ['stadtwerke', 'museum', 'praxis-nord', 'uni-bremen', 'kulturamt']
const client = (scene: Scene) => clients[Math.floor(scene.at / 1000) % clients.length] ?? ''
const number = (scene: Scene) => `R${scene.month.replace('-', '')}-${10 + (Math.floor(scene.at / 60_000) % 80)}`

export const invoice: Routine = {
  key: 'invoice',
  about: 'Invoice for a client: hours from the database, text, PDF, entry in the ledger, mail as a draft',
  gap: 'workflow_gap',
  also: 'skill_gap',
  why: 'everything follows from the client and the month; a skill that reads scanned invoices does not match',
  skill: null,
  runs: 12,
  projects: ['rainfall-api', 'clinic-booking', 'hafenradio'],
  variants: ['typst', 'pandoc'],
  requests: {
    en: [
      (s) => `Bill ${client(s)} for ${s.month}.`,
      (s) => `The month is over, so write the invoice for ${client(s)}.`,
      (s) => `Invoice ${client(s)}, please, hours as in the database.`,
      (s) => `${client(s)} asks for the bill of ${s.month}.`,
      () => 'Time to send invoices.',
    ],
    de: [
      (s) => `Schreib ${client(s)} die Rechnung für ${s.month}.`,
      (s) => `Rechnung an ${client(s)}, bitte.`,
      (s) => `Stell die Stunden von ${s.month} in Rechnung.`,
      (s) => `${client(s)} wartet auf die Abrechnung.`,
      () => 'Monatsende, also abrechnen.',
    ],
  },
  answers: {
    en: [(s) => `${number(s)} is ready, the mail is a draft.`, (s) => `Invoice ${number(s)} is written and entered.`],
    de: [(s) => `${number(s)} ist fertig, die Mail liegt im Entwurf.`, (s) => `Rechnung ${number(s)} ist gebucht.`],
  },
  steps: [
    {
      key: 'hours',
      calls: (s) => [
        shell(
          `sqlite3 -csv zeiten.db "select day, hours from work where client = '${client(s)}' and month = '${s.month}'"`,
          `${s.date},${s.random.int(1, 8)}`,
        ),
      ],
    },
    { key: 'address', optional: true, calls: (s) => [call('fs.search', { path: 'kunden', pattern: client(s) }, '1 match')] },
    {
      key: 'text',
      after: ['hours', 'address'],
      calls: (s, variant) => [
        call(
          'fs.write',
          {
            path: `rechnungen/${number(s)}.${variant === 'typst' ? 'typ' : 'md'}`,
            content: `${say(s, 'Invoice', 'Rechnung')} ${number(s)}\n${s.random.int(4, 60)} h\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'pdf',
      after: ['text'],
      fails: 'error: unknown font family: Inter',
      calls: (s, variant) =>
        variant === 'typst'
          ? [shell(`typst compile rechnungen/${number(s)}.typ`)]
          : [
              shell(`pandoc rechnungen/${number(s)}.md -o rechnungen/${number(s)}.pdf --pdf-engine=weasyprint`),
              shell(`qpdf --check rechnungen/${number(s)}.pdf`, 'No syntax errors'),
            ],
    },
    {
      key: 'ledger',
      after: ['text'],
      calls: (s) => [shell(`echo '${s.date};${number(s)};${client(s)};${s.random.int(400, 4000)}' >> buch/ausgang.csv`)],
    },
    {
      key: 'draft',
      after: ['pdf'],
      optional: true,
      calls: (s) => [
        call(
          'mcp.mail.create_draft',
          { to: `buchhaltung@${client(s)}.example`, subject: number(s), attachment: `rechnungen/${number(s)}.pdf` },
          'draft saved',
        ),
      ],
    },
  ],
}

const episodeNumber = (scene: Scene) => 40 + Number(scene.week.slice(6)) + scene.project.length

export const episode: Routine = {
  key: 'episode',
  about: 'Episode of a podcast: loudness, MP3, transcript, notes, entry in the feed, upload',
  gap: 'skill_gap',
  also: 'workflow_gap',
  why: 'the notes have to be written, and a skill for it exists',
  skill: 'podcast-publisher',
  runs: 10,
  projects: ['hafenradio', 'chorarchiv', 'foto-verein'],
  variants: null,
  requests: {
    en: [
      (s) => `Episode ${episodeNumber(s)} is recorded, publish it.`,
      (s) => `Get number ${episodeNumber(s)} out today.`,
      () => 'The new recording is in the folder raw. You know what to do.',
      (s) => `Make ${episodeNumber(s)} ready for the feed.`,
      () => 'Fresh episode: loudness, notes, upload.',
    ],
    de: [
      (s) => `Folge ${episodeNumber(s)} ist im Kasten, bitte veröffentlichen.`,
      (s) => `Mach die ${episodeNumber(s)} sendefertig.`,
      () => 'Neue Aufnahme liegt im Ordner raw.',
      (s) => `Folge ${episodeNumber(s)} soll heute noch in den Feed.`,
      () => 'Die Aufnahme von gestern kann raus.',
    ],
  },
  answers: {
    en: [(s) => `Episode ${episodeNumber(s)} is online.`, () => 'It is in the feed.'],
    de: [(s) => `Folge ${episodeNumber(s)} ist online.`, () => 'Sie steht im Feed.'],
  },
  steps: [
    {
      key: 'loudness',
      fails: 'Error opening input: No such file or directory',
      calls: (s) => [shell(`ffmpeg -i raw/${episodeNumber(s)}.wav -af loudnorm=I=-16 work/${episodeNumber(s)}.wav`)],
    },
    { key: 'mp3', after: ['loudness'], calls: (s) => [shell(`lame -V 2 work/${episodeNumber(s)}.wav out/${episodeNumber(s)}.mp3`)] },
    {
      key: 'transcript',
      after: ['loudness'],
      optional: true,
      calls: (s) => [shell(`whisper work/${episodeNumber(s)}.wav --output_dir transcripts`, say(s, 'Good evening', 'Guten Abend'))],
    },
    {
      key: 'notes',
      after: ['transcript'],
      calls: (s) => [
        call(
          'fs.write',
          {
            path: `notes/${episodeNumber(s)}.md`,
            content: `# ${episodeNumber(s)}\n\n${s.random.pick(['The harbor at night', 'Ein Abend mit dem Chor', 'Old cameras', 'Gespräch über Ebbe'])}\n`,
          },
          'written',
        ),
      ],
    },
    {
      key: 'feed',
      after: ['mp3', 'notes'],
      calls: (s) => [edit('feed.xml', '<!-- next -->', `<!-- next --><item><title>${episodeNumber(s)}</title></item>`)],
    },
    { key: 'check', after: ['feed'], optional: true, calls: () => [shell('xmllint --noout feed.xml')] },
    { key: 'upload', after: ['feed', 'check'], calls: (s) => [shell(`scp out/${episodeNumber(s)}.mp3 feed.xml radio@host.example:www/`)] },
  ],
}
