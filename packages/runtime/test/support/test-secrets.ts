// Made-up secrets of every format, in sentences as users write them.
import type { SecretKind } from '../../src/memory/rule/secret/kinds.ts'

/** Made-up keys, in pieces, so that no scanner takes this file for a leak. */
export const made = (...parts: readonly string[]) => parts.join('')
export const letters = 'qT7wLz2XnB5vKd9RmF3sHy8GpJ4cVt6ZaE1u'
export const digest = '9f2b7c41d8e05a36bb1947fe20c8d3615aa7e09c4f81b2d6730e9c5fd148ab37'

export const tokenRows = [
  ['OpenAI', made('sk', '-proj-', letters)],
  ['Anthropic', made('sk', '-ant-api03-', letters)],
  ['GitHub', made('gh', 'p_', letters)],
  ['GitHub, fine-grained', made('github', '_pat_', letters)],
  ['GitLab', made('gl', 'pat-', letters.slice(0, 20))],
  ['Slack', made('xo', 'xb-', '1234567890-', letters)],
  ['Slack app', made('xa', 'pp-1-', letters)],
  ['Slack webhook', made('hooks.sl', 'ack.com/services/T00/B00/', letters)],
  ['Stripe', made('sk', '_live_', letters)],
  ['Stripe webhook', made('wh', 'sec_', letters)],
  ['AWS', made('AK', 'IA', 'Q7WLZ2XNB5VKD9RM')],
  ['Google API', made('AI', 'za', letters)],
  ['Google OAuth', made('ya', '29.', letters)],
  ['SendGrid', made('S', 'G.', letters.slice(0, 22), '.', letters)],
  ['npm', made('np', 'm_', letters)],
  ['PyPI', made('py', 'pi-', letters)],
  ['Docker Hub', made('dck', 'r_pat_', letters)],
  ['Telegram', made('123456789', ':AA', letters)],
  ['JSON Web Token', made('ey', 'JhbGciOiJIUzI1NiJ9.', 'ey', 'JzdWIiOiJ4In0.', letters)],
  ['Twilio', made('S', 'K', digest.slice(0, 32))],
  ['Mailgun', made('ke', 'y-', digest.slice(0, 32))],
  ['DigitalOcean', made('do', 'p_v1_', digest)],
  ['Hugging Face', made('h', 'f_', letters)],
  ['Groq', made('gs', 'k_', letters)],
  ['Shopify', made('shp', 'at_', digest.slice(0, 32))],
  ['Linear', made('lin', '_api_', letters)],
  ['Notion', made('nt', 'n_', letters)],
  ['Figma', made('fi', 'gd_', letters)],
  ['Doppler', made('d', 'p.pt.', letters)],
  ['Vault', made('hv', 's.', letters)],
  ['Sentry', made('snt', 'rys_', letters)],
  ['Grafana', made('gl', 'sa_', letters)],
  ['Tailscale', made('ts', 'key-auth-', letters)],
  ['HTTP authorization', made('Bea', 'rer ', letters)],
] as const

export const kindRows: readonly (readonly [text: string, masked: string, kind: SecretKind])[] = [
  ['put it on 4539 1488 0343 6467 please', 'put it on [secret] please', 'card_number'],
  ['card 4539-1488-0343-6467, exp 09/28', 'card [secret], exp 09/28', 'card_number'],
  ['the code for the back door is 4471', 'the code for the back door is [secret]', 'labeled'],
  ['the safe combination is 12-34-56', 'the safe combination is [secret]', 'labeled'],
  ['the code is 493 201', 'the code is [secret]', 'labeled'],
  ['so the code was 493-201, hurry', 'so the code was [secret], hurry', 'labeled'],
  ['code: 4932 0178', 'code: [secret]', 'labeled'],
  ['my one-time code is 493201', 'my one-time code is [secret]', 'labeled'],
  ['backup codes: 4471 9923 1822', 'backup codes: [secret]', 'labeled'],
  ['493 201 is the code', '[secret] is the code', 'one_time_code'],
  ['4932 is my new card pin', '[secret] is my new card pin', 'one_time_code'],
  ['the bank texted me 493201, what now', 'the bank texted me [secret], what now', 'one_time_code'],
  ['2FA says 493 201', '2FA says [secret]', 'one_time_code'],
  ['enter 493201 to sign in', 'enter [secret] to sign in', 'one_time_code'],
  ['493201', '[secret]', 'one_time_code'],
  ['ok, here it is: 493-201.', 'ok, here it is: [secret].', 'one_time_code'],
  ['It came just now. 493 201', 'It came just now. [secret]', 'one_time_code'],
  ['G-493201', '[secret]', 'one_time_code'],
  ['cvv: 737', 'cvv: [secret]', 'labeled'],
  ['the till is downstairs, pin 48213. Rent is due on Friday', 'the till is downstairs, pin [secret]. Rent is due on Friday', 'labeled'],
  ['door code 493 201, ring twice', 'door code [secret], ring twice', 'labeled'],
  ['the shed needs the new code by Monday, it’s 493201', 'the shed needs the new code by Monday, it’s [secret]', 'labeled'],
  ['wifi is guests, passphrase maplo-harbsor-quincet, ask first', 'wifi is guests, passphrase [secret], ask first', 'labeled'],
  ["the pin for the till, don't write it down: 48213", "the pin for the till, don't write it down: [secret]", 'labeled'],
  ['postgres://app:s3cr@t@db.example:5432/app', 'postgres://app:[secret]@db.example:5432/app', 'url_password'],
  ['redis://:abcdef@cache.example', 'redis://:[secret]@cache.example', 'url_password'],
  ['https://x.example/cb?token=abcdef123&a=1', 'https://x.example/cb?token=[secret]&a=1', 'url_password'],
  ['password: Blue-Door9!', 'password: [secret]', 'labeled'],
  ['the wifi password is hunter2.', 'the wifi password is [secret].', 'labeled'],
  ['the wifi password is bluebird, ask for more', 'the wifi password is [secret], ask for more', 'labeled'],
  ['DB_PASSWORD=trombone', 'DB_PASSWORD=[secret]', 'labeled'],
  ['pwd = "two words"', 'pwd = [secret]', 'labeled'],
  ['the password for the guest network is now tangerine', 'the password for the guest network is now [secret]', 'labeled'],
  ['I changed it, the password was changed to Melon77', 'I changed it, the password was changed to [secret]', 'labeled'],
  ['my PIN is 4821', 'my PIN is [secret]', 'labeled'],
  ['door code: 4471#', 'door code: [secret]', 'labeled'],
  ['passphrase: correct horse battery staple', 'passphrase: [secret]', 'labeled'],
  ['user bob password hunter2x', 'user bob password [secret]', 'labeled'],
  ['recovery phrase: lamp river stone cloud', 'recovery phrase: [secret]', 'labeled'],
  ['memorable word: lamp', 'memorable word: [secret]', 'labeled'],
  ['login bob / hunter2x', 'login bob / [secret]', 'labeled'],
  ['client_secret: abcDEF', 'client_secret: [secret]', 'labeled'],
  ['password hunter2', 'password [secret]', 'labeled'],
  ['my password hunter2 works', 'my password [secret] works', 'labeled'],
  ['mot de passe: tournesol', 'mot de passe: [secret]', 'labeled'],
  ['le mot de passe du wifi : tournesol, merci', 'le mot de passe du wifi : [secret], merci', 'labeled'],
  ['contraseña: girasol', 'contraseña: [secret]', 'labeled'],
  ['la contraseña es girasol7', 'la contraseña es [secret]', 'labeled'],
  ['senha: girassol', 'senha: [secret]', 'labeled'],
  ['Kennwort: Sonnenblume', 'Kennwort: [secret]', 'labeled'],
  ['Passwort: Sonnenblume', 'Passwort: [secret]', 'labeled'],
  ['das Passwort ist Sonnenblume7.', 'das Passwort ist [secret].', 'labeled'],
  ['wachtwoord: zonnebloem', 'wachtwoord: [secret]', 'labeled'],
  ['wachtwoord zonnebloem7', 'wachtwoord [secret]', 'labeled'],
  ['hasło: slonecznik', 'hasło: [secret]', 'labeled'],
  ['пароль: подсолнух', 'пароль: [secret]', 'labeled'],
  ['пароль от вайфая: подсолнух', 'пароль от вайфая: [secret]', 'labeled'],
  ['我的密码: xiangrikui', '我的密码: [secret]', 'labeled'],
  ['密码是xiangrikui7', '密码是[secret]', 'labeled'],
  ['パスワード：himawari', 'パスワード：[secret]', 'labeled'],
  ['비밀번호: haebaragi', '비밀번호: [secret]', 'labeled'],
  ['lösenord: solros', 'lösenord: [secret]', 'labeled'],
  [`it is ${letters}`, 'it is [secret]', 'high_entropy'],
  [`it is ${digest}`, 'it is [secret]', 'high_entropy'],
  [`it is qT7wLz2XnB5v+d9RmF3s/y8GpJ4cVt6Zw==`, 'it is [secret]', 'high_entropy'],
]

/** The sentence, and the part of it that must appear nowhere else. */
export interface PlantedSecret {
  readonly said: string
  readonly secret: string
}

export const plantedSecrets: readonly PlantedSecret[] = [
  ...tokenRows.map(([, token]) => ({ said: `here you go: ${token}`, secret: token })),
  ...kindRows.map(([said, masked]) => {
    const [before = '', after = ''] = masked.split('[secret]')
    return { said, secret: said.slice(before.length, said.length - after.length) }
  }),
]
