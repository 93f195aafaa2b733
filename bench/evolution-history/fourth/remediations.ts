import { planting, type Remediation } from '../plan.ts'
import { call, edit, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const topics = ['rope order', 'summer camp', 'spring issue', 'sensor network', 'exam dates', 'new printer', 'harbor party']
/** The same in the request and in the calls of a run. */
const topic = (scene: Scene) => topics[Math.floor(scene.at / 1000) % topics.length] ?? ''
const slug = (scene: Scene) => topic(scene).replaceAll(' ', '-')

export const remediations: Remediation[] = [
  {
    key: 'half_hour_meetings',
    hosts: ['newsletter', 'grading'],
    kind: 'edited_arguments',
    about: 'The person shortens each new appointment from 60 to 30 minutes',
    gap: 'knowledge_gap',
    also: null,
    why: 'a preference of the person that one remembered sentence settles; a tool policy cannot change arguments',
    skill: null,
    runs: 7,
    requests: {
      en: [
        (s) => `Set up a call about the ${topic(s)} with Merle.`,
        () => 'find a slot with Hakan this week.',
        (s) => `Put a meeting on the ${topic(s)} into the calendar.`,
      ],
      de: [
        (s) => `Mach einen Termin mit Merle wegen „${topic(s)}“.`,
        () => 'such einen termin mit Hakan diese Woche.',
        (s) => `Trag eine Besprechung zu „${topic(s)}“ ein.`,
      ],
    },
    plant: (s) => {
      const slot = {
        title: topic(s),
        start: `${s.date}T${s.random.pick(['09:00', '10:30', '14:00', '16:15'])}`,
        guests: [s.random.pick(['merle', 'hakan', 'imke'])],
      }
      const made = call('mcp.calendar.create_event', { ...slot, minutes: 30 }, 'created', 'edited')
      made.proposed = { ...slot, minutes: 60 }
      return planting({ calls: [made], claim: say(s, 'The appointment is in the calendar.', 'Der Termin steht im Kalender.') })
    },
  },
  {
    key: 'no_public_posts',
    hosts: ['newsletter', 'photo_import'],
    kind: 'denied_call',
    about: 'The person denies every post to the public account; the text is to be stored as a draft',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a call that should be blocked (approval_mode)',
    skill: null,
    runs: 6,
    requests: {
      en: [
        (s) => `Something short about the ${topic(s)} for Mastodon.`,
        () => 'Someone asked about parking under our last post.',
        (s) => `Spread the word about the ${topic(s)}.`,
      ],
      de: [
        (s) => `Was Kurzes zu „${topic(s)}“ für Mastodon.`,
        () => 'Unter unserem letzten Beitrag fragt jemand nach Parkplätzen.',
        (s) => `Mach Werbung für „${topic(s)}“.`,
      ],
    },
    plant: (s) => {
      const text = s.random.pick(['See you on Saturday!', 'Kommt vorbei!', 'More on our page.', 'Parken bitte an der Schule.'])
      const refused = call(
        s.random.chance(0.7) ? 'mcp.mastodon.create_post' : 'mcp.mastodon.reply',
        { text: `${topic(s)}: ${text}`, visibility: 'public' },
        'denied',
        'denied',
      )
      refused.reason = s.random.pick(
        s.language === 'de'
          ? ['Posten tu ich selber.', 'Nichts öffentlich, nur Entwürfe.', 'Das geht nicht ohne mich raus.']
          : ['I post myself.', 'Nothing public, drafts only.', 'That does not go out without me.'],
      )
      return planting({
        calls: [refused],
        afterwards: [call('fs.write', { path: `entwuerfe/${s.date}-${slug(s)}.txt`, content: `${text}\n` }, 'written')],
        claim: say(s, 'The text is a draft now.', 'Der Text liegt als Entwurf da.'),
      })
    },
  },
  {
    key: 'prices_are_net',
    hosts: ['hosts', 'firmware'],
    kind: 'corrected_agent',
    about: 'The agent takes the prices of the suppliers as gross; they are net',
    gap: 'knowledge_gap',
    also: null,
    why: 'a fact about the data that the agent does not know',
    skill: null,
    runs: 6,
    requests: {
      en: [
        (s) => `What will the ${topic(s)} cost us?`,
        () => 'add up the open orders.',
        () => 'Are we still within the budget this month?',
      ],
      de: [
        (s) => `Was kostet uns „${topic(s)}“?`,
        () => 'rechne die offenen bestellungen zusammen.',
        () => 'Sind wir diesen Monat noch im Budget?',
      ],
    },
    plant: (s) => {
      const file = `bestellungen/${s.month}.csv`
      const sum = s.random.int(180, 4200)
      const code = (factor: string) => `import csv\nprint(sum(float(r["preis"]) for r in csv.DictReader(open("${file}")))${factor})\n`
      return planting({
        calls: [call('script.run', { language: 'python', code: code('') }, String(sum))],
        claim: say(s, `${sum} euros including tax.`, `${sum} Euro mit Steuer.`),
        correction: s.random.pick(
          s.language === 'de'
            ? ['Das sind Nettopreise.', 'nein, netto! Da kommt noch die Mehrwertsteuer drauf.', 'Die Preise in der Liste sind ohne Steuer.']
            : ['Those are net prices.', 'no, net! VAT comes on top.', 'The prices in that file are without tax.'],
        ),
        afterwards: [call('script.run', { language: 'python', code: code(' * 1.19') }, String(Math.round(sum * 1.19)))],
      })
    },
  },
  {
    key: 'published_pages_moved',
    hosts: ['bugfix', 'newsletter'],
    kind: 'restored_checkpoint',
    about: 'The person restores pages below public/ that the agent moved although their addresses are printed on flyers',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a limit on where the agent may write (fs_scope)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        (s) => `The page about the ${topic(s)} is hard to find.`,
        () => 'Clean up the structure of the site a bit.',
        () => 'The names of our pages are a mess.',
      ],
      de: [
        (s) => `Die Seite zu „${topic(s)}“ findet keiner.`,
        () => 'Bring mal Ordnung in die Seiten.',
        () => 'Die Namen der Seiten sind Kraut und Rüben.',
      ],
    },
    plant: (s) => {
      const moved = call(
        'fs.move',
        { from: `public/${slug(s)}.html`, to: `public/${s.random.pick(['angebote', 'info', 'termine'])}/${slug(s)}.html` },
        'moved',
      )
      return planting({
        calls: [moved],
        claim: say(s, 'The page has a better place now.', 'Die Seite liegt jetzt besser.'),
        restoreTo: moved,
        correction: s.random.pick(
          s.language === 'de'
            ? [
                'Die Adresse steht auf den Flyern!',
                'In public/ nichts verschieben, die Links sind draußen.',
                'Seiten in public/ bleiben, wo sie sind.',
              ]
            : [
                'That address is printed on the flyers!',
                'Nothing moves in public/, people have the links.',
                'Pages in public/ stay where they are.',
              ],
        ),
        afterwards: [edit('nav.json', '"pages": [', `"pages": [\n    "${slug(s)}",`)],
      })
    },
  },
  {
    key: 'stock_phrase_removed',
    hosts: ['hosts', 'bugfix'],
    kind: 'edited_file',
    about: 'The person removes the polite stock phrase with which the agent begins each letter',
    gap: 'knowledge_gap',
    also: null,
    why: 'a preference of style that one remembered sentence settles; a skill that fills letter templates does not match',
    skill: null,
    runs: 6,
    requests: {
      en: [
        (s) => `Write to the city about the ${topic(s)}.`,
        () => 'Letter to the landlord, the gate is still broken.',
        (s) => `Draft a reply to the question about the ${topic(s)}.`,
      ],
      de: [
        (s) => `Schreib der Stadt wegen „${topic(s)}“.`,
        () => 'Brief an den Vermieter, das Tor ist immer noch kaputt.',
        (s) => `Entwirf eine Antwort auf die Frage zu „${topic(s)}“.`,
      ],
    },
    plant: (s) => {
      const path = `briefe/${s.date}-${slug(s)}.md`
      const greeting = say(s, 'Dear Ms. Albers,', 'Liebe Frau Albers,')
      const phrase = say(s, 'I hope this message finds you well.', 'ich hoffe, es geht Ihnen gut.')
      const body = s.random.pick(
        s.language === 'de'
          ? ['das Tor klemmt seit drei Wochen.', 'wir brauchen den Platz am Samstag.', 'vielen Dank für Ihre Frage.']
          : ['the gate has been stuck for three weeks.', 'we need the site on Saturday.', 'thank you for your question.'],
      )
      return planting({
        calls: [call('fs.write', { path, content: `${greeting}\n\n${phrase}\n\n${body}\n` }, 'written')],
        claim: say(s, `The letter is ${path}.`, `Der Brief ist ${path}.`),
        editedFiles: [{ path, before: `${greeting}\n\n${phrase}\n\n${body}`, after: `${greeting}\n\n${body}` }],
      })
    },
  },
  {
    key: 'map_download_stopped',
    hosts: ['photo_import', 'firmware'],
    kind: 'canceled_run',
    about: 'The person cancels the run when the agent starts to download the map data of a continent',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a download of many gigabytes should be blocked, limited or asked about (network_scope, time_limit)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        () => 'Which footpaths lead to the pier?',
        () => 'how far is it from the harbor to the school by bike?',
        (s) => `Draw a small map for the ${topic(s)}.`,
      ],
      de: [
        () => 'Welche Fußwege führen zum Steg?',
        () => 'wie weit ist es mit dem Rad vom Hafen zur Schule?',
        (s) => `Zeichne eine kleine Karte für „${topic(s)}“.`,
      ],
    },
    plant: (s) => {
      const region = s.random.pick(['europe', 'europe', 'planet', 'germany'])
      const url = `https://osm.example.org/extracts/${region}-latest.osm.pbf`
      const download = shell(s.random.chance(0.75) ? `wget -c ${url}` : `wget ${url} -O map.osm.pbf`, 'canceled', 'failed')
      download.duration_ms = s.random.int(300_000, 1_400_000)
      return planting({ calls: [download], canceled: true })
    },
  },
]
