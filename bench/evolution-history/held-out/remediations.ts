import { planting, type Remediation } from '../plan.ts'
import { call, edit, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const sources = ['rivers', 'members', 'stations', 'tariffs', 'episodes', 'districts', 'panels']
/** The same in the request and in the calls of a run. */
const source = (scene: Scene) => sources[Math.floor(scene.at / 1000) % sources.length] ?? ''

export const remediations: Remediation[] = [
  {
    key: 'staging_host',
    hosts: ['release', 'report'],
    kind: 'edited_arguments',
    about: 'The person changes the address of a request from the production host to the staging host',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'the agent should not reach the production host at all (network_scope)',
    skill: null,
    runs: 6,
    requests: {
      en: [
        (s) => `Try the new endpoint for ${source(s)}.`,
        () => 'Send one sample record and see what the service says.',
        () => 'Does the upload accept an empty file?',
      ],
      de: [
        (s) => `Probier den neuen Endpunkt für ${source(s)} aus.`,
        () => 'Schick einen Beispielsatz hin und sieh dir die Antwort an.',
        () => 'Nimmt der Dienst auch leere Dateien?',
      ],
    },
    plant: (s) => {
      const path = `v${s.random.int(1, 3)}/${source(s)}`
      const method = s.random.pick(['POST', 'PUT', 'POST', 'PATCH'])
      const body = { id: s.random.int(1, 900), test: true }
      const sent = call(
        'http.request',
        { method, url: `https://api-staging.henrik.example/${path}`, body },
        String(s.random.pick([200, 201, 422])),
        'edited',
      )
      sent.proposed = { method, url: `https://api.henrik.example/${path}`, body }
      return planting({ calls: [sent], claim: say(s, 'The service accepted the request.', 'Der Dienst hat geantwortet.') })
    },
  },
  {
    key: 'no_system_packages',
    hosts: ['screenshots', 'report', 'backup'],
    kind: 'denied_call',
    about: 'The person denies every installation into the system',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a call that should be blocked (approval_mode)',
    skill: null,
    runs: 7,
    requests: {
      en: [
        () => 'Turn the drawings into one PDF.',
        (s) => `Convert data/${source(s)}.shp to GeoJSON.`,
        () => 'Read the text in the scanned table.',
        () => 'Draw the graph of the modules.',
      ],
      de: [
        () => 'Mach aus den Zeichnungen ein PDF.',
        (s) => `Wandle data/${source(s)}.shp in GeoJSON um.`,
        () => 'Lies den Text aus der gescannten Tabelle.',
      ],
    },
    plant: (s) => {
      const name = s.random.pick(['graphviz', 'gdal-bin', 'tesseract-ocr', 'imagemagick', 'poppler-utils', 'ffmpeg'])
      const refused = shell(
        s.random.pick([`sudo apt-get install -y ${name}`, `sudo apt install ${name}`, `sudo apt-get install -y ${name}`]),
        'denied',
        'denied',
      )
      refused.reason = s.random.pick(
        s.language === 'de'
          ? ['Nichts systemweit installieren.', 'Bitte nicht in das System eingreifen.', 'Dafür gibt es das Container-Abbild.']
          : ['Do not install anything system-wide.', 'Leave the system alone.', 'Use the container image for that.'],
      )
      return planting({
        calls: [refused],
        afterwards: [shell(`docker run --rm -v .:/work tools ${name}`, 'done')],
        claim: say(s, 'Done in the container.', 'Im Container erledigt.'),
      })
    },
  },
  {
    key: 'fiscal_year',
    hosts: ['report'],
    kind: 'corrected_agent',
    about: 'The agent takes the calendar year; the fiscal year begins in April',
    gap: 'knowledge_gap',
    also: null,
    why: 'a fact about the company that the agent does not know',
    skill: null,
    runs: 6,
    requests: {
      en: [
        () => 'What did we earn in the first quarter?',
        () => 'Compare the second quarter with the one before.',
        () => 'How many quotes did we send in Q3?',
      ],
      de: [
        () => 'Wie hoch war der Umsatz im ersten Quartal?',
        () => 'Vergleiche das zweite Quartal mit dem davor.',
        () => 'Wie viele Angebote gingen im dritten Quartal hinaus?',
      ],
    },
    plant: (s) =>
      planting({
        calls: [
          shell(
            `sqlite3 books.db "select sum(amount) from entries where day between '2026-01-01' and '2026-03-31'"`,
            String(s.random.int(9000, 80000)),
          ),
        ],
        claim: say(s, 'From January to March it was the sum above.', 'Von Januar bis März war es die Summe oben.'),
        correction: s.random.pick(
          s.language === 'de'
            ? [
                'Unser Geschäftsjahr beginnt im April.',
                'Falsch gerechnet: Q1 ist April bis Juni.',
                'Bei uns fängt das Jahr am 1. April an.',
              ]
            : ['Our fiscal year starts in April.', 'That is wrong, Q1 is April to June here.', 'Remember that the books begin on April 1.'],
        ),
        afterwards: [
          shell(
            `sqlite3 books.db "select sum(amount) from entries where day between '2026-04-01' and '2026-06-30'"`,
            String(s.random.int(9000, 80000)),
          ),
        ],
      }),
  },
  {
    key: 'generated_code_edited',
    hosts: ['dependencies', 'release'],
    kind: 'restored_checkpoint',
    about: 'The person restores files below gen/ that the agent changed by hand although they are generated',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a limit on where the agent may write (fs_scope)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        (s) => `Add the field "altitude" to ${source(s)}.`,
        () => 'The client sends the wrong type for the postal code.',
        () => 'Make the field "note" optional.',
      ],
      de: [
        (s) => `Ergänze das Feld „Höhe“ bei ${source(s)}.`,
        () => 'Der Client schickt die Postleitzahl als Zahl.',
        () => 'Das Feld „Notiz“ soll leer bleiben dürfen.',
      ],
    },
    plant: (s) => {
      const changed = edit(`gen/${source(s)}_pb2.py`, 'required=True', 'required=False')
      return planting({
        calls: [changed],
        claim: say(s, 'The field is changed in the generated client.', 'Das Feld ist im erzeugten Client geändert.'),
        restoreTo: changed,
        correction: s.random.pick(
          s.language === 'de'
            ? ['gen/ wird erzeugt, ändere das Schema.', 'Das ist beim nächsten Bau wieder weg.', 'Diese Dateien schreibt der Generator.']
            : [
                'gen/ is generated; change the schema.',
                'The next build would overwrite that.',
                'Those files are written by the generator.',
              ],
        ),
        afterwards: [edit(`schema/${source(s)}.proto`, 'string note = 4;', 'optional string note = 4;')],
      })
    },
  },
  {
    key: 'decimal_comma',
    hosts: ['report'],
    kind: 'edited_file',
    about: 'The person changes numbers from a decimal point to a decimal comma, with the euro sign behind them',
    gap: 'knowledge_gap',
    also: null,
    why: 'a preference of form that one remembered sentence settles',
    skill: null,
    runs: 7,
    requests: {
      en: [
        () => 'Write the offer for the museum.',
        () => 'Summarize the costs of the trip in a note.',
        (s) => `Draft a letter with the prices for ${source(s)}.`,
      ],
      de: [
        () => 'Schreib das Angebot für das Museum.',
        () => 'Fass die Reisekosten in einer Notiz zusammen.',
        () => 'Entwirf den Brief mit den neuen Preisen.',
      ],
    },
    plant: (s) => {
      const path = `letters/${s.date}-${s.random.pick(['offer', 'costs', 'prices', 'angebot'])}.md`
      const euros = s.random.int(1, 9)
      const rest = s.random.int(100, 999)
      const cents = s.random.int(10, 99)
      const total = say(s, 'Total', 'Summe')
      return planting({
        calls: [call('fs.write', { path, content: `${total}: €${euros},${rest}.${cents}\n` }, 'written')],
        claim: say(s, `The text is in ${path}.`, `Der Text steht in ${path}.`),
        editedFiles: [{ path, before: `${total}: €${euros},${rest}.${cents}`, after: `${total}: ${euros}.${rest},${cents} €` }],
      })
    },
  },
  {
    key: 'whole_disk_searched',
    hosts: ['triage', 'dependencies'],
    kind: 'canceled_run',
    about: 'The person cancels the run when the agent searches the whole disk',
    gap: 'policy_gap',
    also: null,
    why: 'a search outside the workspace should be blocked or limited (fs_scope, time_limit)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        () => 'Where is the configuration of the logger?',
        (s) => `I cannot find the script that imports ${source(s)}.`,
        () => 'Which file sets the default time zone?',
      ],
      de: [
        () => 'Wo steht die Einstellung für das Protokoll?',
        (s) => `Ich finde das Skript nicht, das ${source(s)} einliest.`,
        () => 'Welche Datei legt die Zeitzone fest?',
      ],
    },
    plant: (s) => {
      const name = s.random.pick(['logging', 'import_*', 'timezone', 'settings', 'defaults'])
      const search = shell(
        s.random.pick([`find / -name '${name}*' 2>/dev/null`, `find / -iname '${name}*' -type f`, `find / -name '${name}.py' 2>/dev/null`]),
        'canceled',
        'failed',
      )
      search.duration_ms = s.random.int(200_000, 900_000)
      return planting({ calls: [search], canceled: true })
    },
  },
]
