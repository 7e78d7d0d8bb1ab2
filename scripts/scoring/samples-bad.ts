/** Written for this evaluation after the manner of what contact forms get; nobody's text was copied. */
const paragraphs = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());

export const pitches = paragraphs(`
Hi, I run a small studio that makes short product films. I had a look at your homepage and think a 60 second clip would explain
what you do much faster. Would you have 15 minutes next week so that I can show you two examples from your industry?

Hello, my name is Karen and I work for a bookkeeping firm. We take care of payroll and VAT for more than 300 small companies and
could save you several hours every month. Is that something you would be open to discussing?

Dear Sir or Madam, we are a manufacturer of corrugated boxes in Shenzhen with 20 years experience. We can offer you competitive
prices and free samples. Please contact me if you need packaging. Best regards, Lily

Hey team, quick question: who handles hiring at your company? We have a pool of pre-vetted engineers in Latin America who can
start within a week at half the cost. Happy to send over some profiles.

Hi there, I noticed that your website is not mobile friendly and loads slowly. I am a freelance web designer and I could rebuild it
for $499. Let me know if you want to see a free mockup.

Good day, do you need a loan to expand your business? We provide unsecured business funding from 10k to 500k with approval in 24
hours. Reply to this message to see how much you qualify for.

Hello, we are an IT outsourcing company from India with 150+ developers. We do PHP, React, mobile apps and QA. Hourly rates start
at $12. Can we schedule a call to discuss how we can work together?

Hi, I came across your business online and was impressed. We help companies like yours get 20 to 30 booked appointments every
month with cold email. No results, no fee. Worth a quick chat?

To the owner: our cleaning company serves offices in your area. We would like to offer you a free quote for daily or weekly
cleaning. All our staff are insured and background checked. When can we visit?

Hello, I represent a translation agency. We translate websites and contracts into more than 50 languages by native speakers.
Please find our rates attached. Looking forward to working with you.

Hi, are you the person in charge of office supplies? We are running a promotion on toner and paper this month, 30% off for new
customers. Can I send you our price list?

I wanted to reach out because we just launched an AI chatbot that answers customer questions 24/7. It takes five minutes to install
on your site. Would you like a free trial?

Hola, somos una agencia de marketing digital y ayudamos a empresas como la suya a conseguir más clientes. Nos gustaría ofrecerle
una auditoría gratuita de su página web. ¿Tiene 15 minutos esta semana?

Guten Tag, wir sind eine Agentur für Webdesign und haben uns Ihre Website angesehen. Dabei sind uns einige Punkte aufgefallen, die
Sie Kunden kosten. Gerne bieten wir Ihnen eine kostenlose Analyse an. Wann passt Ihnen ein kurzes Telefonat?

Bonjour, nous sommes une agence spécialisée dans la création de sites internet. Nous avons remarqué que votre site pourrait être
mieux référencé. Seriez-vous disponible pour un appel cette semaine ? Cordialement

Hello, I am contacting you about your energy bills. We compare over 20 suppliers and businesses save on average 32%. There is no
charge for our service. Could you send me a recent bill?

Hi, my name is Tom from Brightline Video. I love what you are doing! Have you ever thought about using drone footage for your
marketing? We have worked with brands such as yours and would be delighted to share our portfolio.

Dear Manager, greetings! We are professional supplier of LED lights, good quality and best price. MOQ 100 pcs. If you have any
interest please feel free to contact us. Thanks and best regards.

Hello, would you be interested in buying a list of attendees of the coming trade show? The list contains contact name, title,
phone number and verified email. Let me know and I will send the counts and cost.

I'm reaching out as we are currently looking for new partners for our affiliate program. You earn 20% commission for each customer
you refer. It's free to join. Can I send you the details?

Hi, did you know that 70% of your visitors leave without contacting you? Our software shows you which companies visit your website
so that your sales team can follow up. Reply YES for a demo.

Hello, we noticed you do not have a Wikipedia page. Our experienced editors create pages that stay. We also remove negative reviews.
Please let me know your budget.

Hi, I am a virtual assistant with 6 years of experience in data entry, customer support and social media. I can work for $5 an hour.
Do you have any tasks that I could take off your plate?

Good morning. We specialise in commercial insurance for small businesses and our clients typically save 25%. May I ask when your
policy is up for renewal? It only takes two minutes to get a quote from us.

Dear business owner, is your company listed in all the main directories? We submit your details to 80+ directories for a one-off
fee of $99. This offer ends Friday.

Olá, trabalhamos com desenvolvimento de aplicativos e sistemas sob medida. Gostaríamos de apresentar nossa empresa e entender
como podemos ajudar o seu negócio a crescer. Podemos agendar uma reunião?

Здравствуйте! Предлагаем услуги по созданию и продвижению сайтов. Работаем более 10 лет, выполнили свыше 500 проектов. Ответьте на
это письмо, и мы подготовим для вас коммерческое предложение бесплатно.

Hi, I write for several blogs and I would love to contribute an article to your site, free of charge. All I ask for is one link back
to my client. Which topics would you prefer?

Hello, our platform lets you accept card payments with fees from 0.5%. Switching takes a day, and we pay your old contract's exit
fee. Shall I give you a call tomorrow?

Hi there, we are opening our winter coaching programme for founders who want to scale past 1M. Only three spots left. Book your free
strategy session here: https://calendly.example.com/scale
`);

export const linkSpam = paragraphs(`
We can place your site on the first page of google in 30 days. Visit https://rank-boost.example.xyz for packages.

Buy cheap viagra and cialis online, no prescription needed http://pills.example.top

<a href="http://casino.example.com">best online casino</a> free spins for every new player

[url=http://replica.example.ru]replica watches[/url] best quality, worldwide shipping

I really like your blog, you write about interesting things. Keep up the good work! Also visit my page: http://shoes.example.com

Hello! Do you want to earn 5000 dollars a week with crypto trading? Our robot does everything for you. https://bit.ly/3xYzAbc

Wow, amazing weblog layout! How long have you been blogging for? you made blogging look easy. The overall look of your site is great

Your website has 17 broken links and 5 toxic backlinks. We can fix that and build 100 DA50+ backlinks for $150. Reply for details.

Increase your Instagram followers, 1000 real followers for $9. Order at www.social-boost.example.com today

Hot girls in your city are waiting for you http://dating.example.site/join

Get 10,000 targeted visitors to your website today, 100% real human traffic, starting at $19 https://traffic.example.com

{Hi|Hello|Hey} there, {I|we} found your {site|website} and {would like|want} to offer you SEO

Купить ссылки для продвижения сайта недорого. Каталог: http://links.example.ru

Заработок в интернете от 5000 рублей в день без вложений! Переходите по ссылке http://zarabotok.example.ru

Slot gacor hari ini, situs judi online terpercaya, bonus new member 100% https://slot.example.click

Your SEO is bad. I can do link building, guest posts on DA 70 sites and keyword research. Skype: seo.pro99

Fast payday loans with bad credit, approved in 5 minutes http://loan.example.online

Hi! This post couldn't be written any better! Reading through this post reminds me of my previous room mate! Thanks for sharing!

Check out our new replica handbags outlet http://a.example.com http://b.example.com http://c.example.com http://d.example.com

Telegram channel with forex signals, 95% win rate, join now https://t.me/example_signals

Need backlinks? 50 guest posts on high domain authority sites with dofollow links. Price list: https://posts.example.com/prices

We send your commercial offer through contact forms to millions of sites. One million messages cost 59 USD. Telegram @example

Hello guys, I am a young artist, please subscribe to my channel and listen to my new song!!! https://youtu.be/xxxx

Nice post! I have bookmarked your site and will come back. My homepage: example-diet.com

https://example-shop.com/discount?id=93934

Congratulations, you have won a $1000 gift card! Claim it here: http://prize.example.win
`);
