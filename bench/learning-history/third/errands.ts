// Runs of the third without a planted cause.
import type { Errand } from '../scene.ts'
import type { World } from '../world.ts'

export const thirdErrands: readonly ((world: World) => Errand | Promise<Errand>)[] = [
  (world) => {
    const file = world.name('files')
    world.setup(`sqlite3 ${file}.db "create table visits(day text, guests integer); insert into visits values ('mon', 12), ('tue', 9)"`)
    world.commit()
    return {
      name: 'query',
      request: world.say(`How many guests are in ${file}.db altogether?`, `Wie viele Gäste stehen insgesamt in ${file}.db?`),
      actions: [
        `sqlite3 ${file}.db 'select sum(guest) from visits'`,
        `sqlite3 ${file}.db .schema`,
        `sqlite3 ${file}.db 'select sum(guests) from visits'`,
      ],
      done: world.say('21 guests.', '21 Gäste.'),
    }
  },
  (world) => {
    world.commit()
    const days = world.random.integer(20, 400)
    return {
      name: 'certificate',
      request: world.say(
        `Make a self-signed certificate for ${days} days and tell me when it ends.`,
        `Erzeuge ein selbst signiertes Zertifikat für ${days} Tage und sag mir, wann es abläuft.`,
      ),
      actions: [
        `openssl req -x509 -newkey rsa:2048 -nodes -keyout dev.key -out dev.crt -day ${days} -subj /CN=localhost`,
        `openssl req -x509 -newkey rsa:2048 -nodes -keyout dev.key -out dev.crt -days ${days} -subj /CN=localhost`,
        'openssl x509 -in dev.crt -noout -enddate',
      ],
      done: world.say('The date is in the last output.', 'Das Datum steht in der letzten Ausgabe.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({
      [`src/${file}.txt`]: 'one\ntwo\n',
      'change.patch': `--- a/src/${file}.txt\n+++ b/src/${file}.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n`,
    })
    world.commit()
    return {
      name: 'strip',
      request: world.say('Apply change.patch.', 'Wende change.patch an.'),
      actions: ['patch -f -p0 -i change.patch', 'patch -p1 -i change.patch', 'git diff --stat'],
      done: world.say('Applied.', 'Angewendet.'),
    }
  },
  (world) => {
    const [file, owner] = [`${world.name('files')}.json`, world.user]
    world.files({ [file]: JSON.stringify({ title: world.project, owner: 'nobody' }) })
    world.commit()
    return {
      name: 'json-owner',
      request: world.say(`Set the owner in ${file} to ${owner}.`, `Trag ${owner} als owner in ${file} ein.`),
      actions: [
        `jq '.owner = new_owner' ${file}`,
        `jq --arg owner ${owner} '.owner = $owner' ${file} > next.json && mv next.json ${file}`,
        `jq -r .owner ${file}`,
      ],
      done: world.say('Done.', 'Erledigt.'),
    }
  },
  (world) => {
    world.commit()
    const name = world.random.pick(['deploy', 'backup', 'laptop'])
    return {
      name: 'key',
      request: world.say(
        `Create an SSH key named ${name} and show me its fingerprint.`,
        `Erzeuge einen SSH-Schlüssel namens ${name} und zeig mir den Fingerabdruck.`,
      ),
      actions: [
        `ssh-keygen -lf keys/${name}.pub`,
        `mkdir -p keys && ssh-keygen -q -t ed25519 -N '' -C ${name} -f keys/${name}`,
        `ssh-keygen -lf keys/${name}.pub`,
      ],
      done: world.say('It is in the last output.', 'Er steht in der letzten Ausgabe.'),
    }
  },
  (world) => {
    const file = world.name('files')
    world.files({ [`${file}.c`]: '#include <stdio.h>\n\nint main(void) {\n  puts("hello")\n  return 0;\n}\n' })
    world.commit()
    return {
      name: 'semicolon',
      request: world.say(`Compile ${file}.c and correct it if needed.`, `Übersetze ${file}.c und korrigiere es, falls nötig.`),
      actions: [
        `gcc -Wall -o ${file} ${file}.c`,
        { edit: `${file}.c`, old: 'puts("hello")', new: 'puts("hello");' },
        `gcc -Wall -o ${file} ${file}.c`,
        `./${file}`,
      ],
      done: world.say('A semicolon was missing.', 'Es fehlte ein Strichpunkt.'),
    }
  },
  (world) => {
    world.commit()
    return {
      name: 'words',
      request: world.say('Which word is most frequent in the docs?', 'Welches Wort kommt in der Dokumentation am häufigsten vor?'),
      actions: [
        {
          script: 'python',
          code: 'import collections\nwords = open("docs/guide.md").read().split()\nfor word, count in collections.Counter(words).most_common(1):\nprint(word, count)\n',
        },
        {
          script: 'python',
          code: 'import collections\nwords = open("docs/guide.md").read().split()\nfor word, count in collections.Counter(words).most_common(1):\n    print(word, count)\n',
        },
      ],
      done: world.say('See the last output.', 'Siehe die letzte Ausgabe.'),
    }
  },
  (world) => {
    const count = world.random.integer(3, 9)
    world.commit()
    return {
      name: 'loop',
      request: world.say(`Create ${count} numbered note files in notes.`, `Lege ${count} nummerierte Notizdateien in notes an.`),
      actions: [
        { script: 'bash', code: `mkdir -p notes\nfor at in $(seq ${count}); do\n  echo "# $at" > notes/$at.md\n` },
        { script: 'bash', code: `mkdir -p notes\nfor at in $(seq ${count}); do\n  echo "# $at" > notes/$at.md\ndone\nls notes | wc -l\n` },
      ],
      done: world.say(`${count} files.`, `${count} Dateien.`),
    }
  },
  (world) => {
    world.files({
      'Greet.java':
        'class Greet {\n  public static void main(String[] given) {\n    String name = "you";\n    System.out.println("hello " + nam);\n  }\n}\n',
    })
    world.commit()
    return {
      name: 'symbol',
      request: world.say('Run Greet.java; it worked yesterday.', 'Führe Greet.java aus, gestern ging es noch.'),
      actions: ['java Greet.java', { edit: 'Greet.java', old: '+ nam)', new: '+ name)' }, 'java Greet.java'],
      done: world.say('It greets again.', 'Es grüßt wieder.'),
    }
  },
  (world) => {
    const branch = world.name('branches')
    world.commit()
    world.setup(`git branch ${branch}`)
    return {
      name: 'remove-branch',
      request: world.say(
        `Delete the branch ${branch}; everything in it is on main.`,
        `Lösche den Branch ${branch}, alles daraus ist auf main.`,
      ),
      actions: [`git branch -d ${branch}s`, 'git branch --list', `git branch -d ${branch}`, 'git branch --list'],
      done: world.say('Deleted.', 'Gelöscht.'),
    }
  },
]
