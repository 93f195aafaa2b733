// Formats of keys and tokens that can be recognized by themselves. Each pattern is linear: no repeated group that can match the same text twice.

export interface SecretFormat {
  readonly name: string
  readonly pattern: RegExp
}

const start = '(?<![A-Za-z0-9_])'
const format = (name: string, pattern: string): SecretFormat => ({ name, pattern: new RegExp(start + pattern, 'g') })

export const privateKeyFormats: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\s\S]*)/g,
  /PuTTY-User-Key-File-\d:[\s\S]*/g,
  /AGE-SECRET-KEY-1[0-9A-Z]{20,}/g,
]

export const tokenFormats: readonly SecretFormat[] = [
  format('OpenAI and Anthropic', 'sk-(?:[a-z]{2,10}\\d{0,2}-)*[A-Za-z0-9_-]{16,}'),
  format('GitHub', 'gh[pousr]_[A-Za-z0-9]{20,}'),
  format('GitHub, fine-grained', 'github_pat_[A-Za-z0-9_]{20,}'),
  format('GitLab', 'gl(?:pat|ptt|dt|rt|cbt|soat|agent|oas|ffct|imt)-[A-Za-z0-9_-]{16,}'),
  format('Slack', 'xox[abceoprs]-[A-Za-z0-9-]{10,}'),
  format('Slack app', 'xapp-[A-Za-z0-9-]{10,}'),
  format('Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}'),
  format('Discord webhook', 'discord(?:app)?\\.com/api/webhooks/[0-9]{5,}/[A-Za-z0-9_-]{20,}'),
  format('Discord bot', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'),
  format('Stripe', '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}'),
  format('Stripe webhook', 'whsec_[A-Za-z0-9+/=]{16,}'),
  format('AWS', '(?:AKIA|ASIA|ABIA|ACCA|AIDA|AROA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  format('Google API', 'AIza[A-Za-z0-9_-]{30,}'),
  format('Google OAuth', 'ya29\\.[A-Za-z0-9_-]{20,}'),
  format('Google client', 'GOCSPX-[A-Za-z0-9_-]{20,}'),
  format('SendGrid', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  format('Brevo', 'xkeysib-[A-Za-z0-9-]{20,}'),
  format('npm', 'npm_[A-Za-z0-9]{20,}'),
  format('PyPI', 'pypi-[A-Za-z0-9_-]{20,}'),
  format('RubyGems', 'rubygems_[a-f0-9]{20,}'),
  format('crates.io', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  format('Docker Hub', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'),
  format('Telegram', '[0-9]{7,12}:[A-Za-z0-9_-]{30,}'),
  format('JSON Web Token', 'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?'),
  format('Twilio', '(?:SK|AC)[a-f0-9]{32}(?![A-Za-z0-9])'),
  format('Mailgun', 'key-[a-f0-9]{32}(?![A-Za-z0-9])'),
  format('Mailchimp', '[a-f0-9]{32}-us[0-9]{1,2}'),
  format('DigitalOcean', 'do[opr]_v1_[a-f0-9]{32,}'),
  format('Hugging Face', 'hf_[A-Za-z0-9]{20,}'),
  format('Groq', 'gsk_[A-Za-z0-9]{20,}'),
  format('Replicate', 'r8_[A-Za-z0-9]{20,}'),
  format('Perplexity', 'pplx-[A-Za-z0-9]{20,}'),
  format('xAI', 'xai-[A-Za-z0-9]{20,}'),
  format('Square', 'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}'),
  format('Shopify', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}'),
  format('Databricks', 'dapi[a-f0-9]{32}'),
  format('Linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{20,}'),
  format('Notion', '(?:ntn|secret)_[A-Za-z0-9]{30,}'),
  format('Figma', 'fig[dopu]_[A-Za-z0-9_-]{20,}'),
  format('Airtable', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}'),
  format('Asana', '[0-9]/[0-9]{10,}(?:/[0-9]{10,})?:[a-f0-9]{32}'),
  format('Atlassian', 'ATATT3[A-Za-z0-9_=-]{20,}'),
  format('Doppler', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{20,}'),
  format('Vault', 'hv[sbr]\\.[A-Za-z0-9_-]{20,}'),
  format('Terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,}'),
  format('New Relic', 'NRA[KA]-[A-Z0-9]{20,}'),
  format('Sentry', 'sntry[su]_[A-Za-z0-9+/=_-]{20,}'),
  format('Supabase', 'sb[ps]?_(?:secret_|publishable_)?[A-Za-z0-9_]{20,}'),
  format('PlanetScale', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{20,}'),
  format('Fly', '(?:fo1_|FlyV1 fm\\d_)[A-Za-z0-9+/=_-]{20,}'),
  format('Grafana', 'gl(?:c|sa)_[A-Za-z0-9+/=_]{20,}'),
  format('Heroku', 'HRKU-[A-Za-z0-9_-]{20,}'),
  format('Tailscale', 'tskey-[a-z]+-[A-Za-z0-9-]{10,}'),
  format('Postman', 'PMAK-[a-f0-9-]{20,}'),
  format('Bitwarden', '[0-9]\\.[a-f0-9-]{36}\\.[A-Za-z0-9+/=]{20,}'),
  format('1Password', 'ops_[A-Za-z0-9+/=_-]{40,}'),
  format('Azure', '(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[A-Za-z0-9+/=%&]{20,}'),
  format('HTTP authorization', '(?:[Bb]earer|[Bb]asic) [A-Za-z0-9+/=_.~-]{16,}'),
  format(
    'WordPress application password',
    '(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}(?![A-Za-z0-9])(?<=[0-9][A-Za-z0-9 ]{0,28})(?<=[A-Z][A-Za-z0-9 ]{0,28})',
  ),
]
