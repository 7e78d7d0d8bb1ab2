/** A second set, written after the rules: whoever tunes on it needs a third. */
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

export const laterPitches = lines(`
Hi, I'm a photographer based nearby and I'm offering local firms team portraits at a reduced rate this autumn. Would a half-day shoot be of interest? Here is my work: https://studio.example.com
Dear colleagues, our factory produces promotional pens, mugs and USB sticks with logo print. We would be glad to send you a quotation. Minimum order 250 pieces, delivery in 10 days.
Hello, I was wondering if you'd consider switching your phone system to VoIP. Most firms your size cut their bill by 40 percent. I can drop by for a demo at no charge.
Is your data safe? Hackers target small firms every day. Our managed IT service monitors your network around the clock from 79 a month. Request a free security check now.
Hi! We noticed there's no live chat on your pages. We build chat assistants that turn browsers into buyers. Can I show you a two-minute demo tailored to your company?
Hello dear, I am Vivian from Guangzhou. We produce silicone kitchenware for big supermarkets in Europe. Do you import this kind of products? I can send catalog and price.
Hi, we're a recruitment agency specialising in sales roles. I have three candidates who would be a perfect match for your team. Are you hiring at the moment? Terms: 12% of first-year salary.
Good afternoon, I'm following up about the email I sent last week regarding leadership training. Our two-day workshops have a 98% satisfaction rating. Who would be best to speak to?
We buy used laptops and servers from companies and pay the best prices. Free collection and certified data wiping. Interested? Just answer this message.
Hey, loved your latest post! I run a podcast for founders and would like to have you as a guest. The production package is $750 and includes clips for social media.
Your Google reviews could be better. We remove fake and unfair reviews legally, and you only pay on success. Shall I check your profile for free?
Hi, my company does professional window cleaning for commercial buildings. We'll be in your street next Tuesday and can do yours for a discounted price. Reply if you'd like a slot.
Do you struggle to collect unpaid invoices? Our debt collection team recovers 87% of claims. No recovery, no fee. Let's have a short conversation this week.
Hello, we are an English-speaking law firm that registers trademarks worldwide at fixed prices. Your brand does not appear to be protected in the EU. May I send an offer?
Salut, je suis développeur freelance avec 8 ans d'expérience. Je peux refaire votre site à partir de 600 euros. Voici mon portfolio : https://dev.example.fr
Guten Tag, mein Name ist Peter Krause von der Firma Lichtblick. Wir statten Büros mit LED-Beleuchtung aus und senken Ihre Stromkosten um bis zu 60 Prozent. Darf ich Ihnen ein Angebot schicken?
Buenas, vendemos bases de datos de empresas españolas actualizadas a 2026, con correo y teléfono. Precio especial esta semana: 99 euros. Responda para recibir una muestra gratis.
We can get your product in front of 2 million TikTok users. Our influencers charge from 50 dollars per video. Want the media kit?
I'd like to buy your domain or partner with you on a new crypto exchange project, guaranteed 3x return in six months. Contact me on WhatsApp.
Hi there, our app saves restaurants five hours a week on rota planning. First three months free if you sign up before Friday. Can I book you in for a walkthrough?
`);

export const laterClean = lines(`
Hello, we run a bakery with four shops and our till system is dying. Which of your models would you recommend, and can you install it outside opening hours?
I'm organising a charity run on 3 June and we're looking for someone to do the timing for about 400 runners. Is that something you do?
Could you let me know the lead time for the oak version? My customer wants it before Christmas.
We met briefly at the expo, I'm the operations director at Halden Foods. Please have someone contact me about cold storage for 300 pallets.
Your invoice 88213 shows the wrong VAT number, could you send a corrected one to our accounts team?
Hi, our company moved and we need to update the delivery address for our subscription. Who can help?
We are a startup of six people and interested in the starter plan. Does it include single sign-on?
My mother lives alone and we are considering an emergency call button. What are the monthly costs and is there a contract?
Please quote for painting a stairwell, five floors, ideally in August while the tenants are away.
Do you have a white label version of your booking tool? We'd like to offer it to our hotel customers under our own brand.
Our marketing agency has a client who needs 2,000 printed boxes. Can you handle that by the end of the month?
I tried to sign up but the confirmation email never arrives. I checked the spam folder too.
We want to outsource our customer support for the German market, about 200 tickets a day. Do you work with Zendesk?
I'm doing my bachelor thesis on heat pumps and would be grateful for a short interview with one of your engineers.
Can your software connect to Shopify and Amazon? We sell pet food and process around 1,500 orders a week.
We have a budget of 15,000 for a new website and are talking to three agencies. Could you send references and a rough estimate?
Is parking free for visitors? We will come by car with two children.
Good morning, our forklift broke down (error E45) and we need a technician today if possible. Site is in Duisburg.
I would like to cancel my appointment on Monday and get a new one the week after.
We represent a group of 12 dental practices and are evaluating new suppliers for gloves and masks. Please send samples and your price list.
Hello, do you offer discounts for non-profits? We need around 30 licences for our volunteers.
Ich interessiere mich für die Wohnung in der Lindenstraße. Wann kann ich sie besichtigen?
Nous organisons un séminaire pour 60 personnes en octobre. Avez-vous des salles disponibles et quels sont vos tarifs ?
Necesitamos un proveedor de uniformes para 120 empleados. ¿Pueden enviarnos muestras y precios?
Buongiorno, siamo interessati al vostro corso di sicurezza per otto operai. Quando parte il prossimo?
`);
