//! Players that do not exist, with names as such records have them.

use engine::selfplay::Dice;

const THAI_FIRST: [&str; 20] = [
    "Somchai", "Anan", "Prasert", "Wichai", "Narong", "Kittisak", "Thawat", "Boonmee", "Surachai",
    "Chaiyo", "Malee", "Suda", "Wanida", "Pimchan", "Ratree", "Nopporn", "Decha", "Udom", "Sakda",
    "Preecha",
];
const THAI_LAST: [&str; 16] = [
    "Thongdee",
    "Rakthai",
    "Saengchan",
    "Muangkaeo",
    "Phutthan",
    "Wongsakul",
    "Chaidee",
    "Bunrueang",
    "Khongkha",
    "Srisuk",
    "Namphet",
    "Inthanon",
    "Lamduan",
    "Phromsen",
    "Tubtim",
    "Yotha",
];
const KHMER: [&str; 16] = [
    "Sok Dara",
    "Chea Vannak",
    "Kong Sophea",
    "Meas Rithy",
    "Prak Sovann",
    "Heng Bopha",
    "Ouk Samnang",
    "Long Visal",
    "Chhim Kosal",
    "Nuon Chanthy",
    "Pich Sambath",
    "Keo Ratana",
    "Sam Oeun",
    "Tep Makara",
    "Ros Piseth",
    "Yin Sreyleak",
];
const THAI_SCRIPT: [&str; 16] = [
    "สมชาย ทองดี",
    "อนันต์ รักไทย",
    "ประเสริฐ แสงจันทร์",
    "วิชัย เมืองแก้ว",
    "ณรงค์ พุทธาน",
    "กิตติศักดิ์ วงศ์สกุล",
    "ธวัช ใจดี",
    "บุญมี บุญเรือง",
    "สุรชัย คงคา",
    "มาลี ศรีสุข",
    "สุดา น้ำเพชร",
    "วนิดา อินทนนท์",
    "พิมพ์จันทร์ ลำดวน",
    "ราตรี พรหมเสน",
    "นพพร ทับทิม",
    "เดชา โยธา",
];
const HANDLES: [&str; 24] = [
    "khunkrao",
    "rua_dam",
    "ma_phuk88",
    "bia_ngai",
    "met_thong",
    "siam_khon",
    "chiangmai64",
    "nakhonkhun",
    "padthai_r",
    "lek_makruk",
    "angkor_ouk",
    "koul_koul",
    "neang2019",
    "tonlesap",
    "mekong_ma",
    "battambang",
    "doi_suthep",
    "isan_rua",
    "phuket_b3",
    "korat_cat",
    "ayutthaya7",
    "chang_noi",
    "naga_river",
    "lotus_met",
];
const ENGINES: [&str; 6] = [
    "Garuda 0.9",
    "Chang Puek 2.1",
    "Hanuman 1.4",
    "Erawan 3.0",
    "Naga 0.2",
    "Kinnari 1.1",
];

/// Whose names a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Circle {
    /// Thai names in Latin letters.
    Thai,
    /// Khmer names in Latin letters.
    Khmer,
    /// Thai names in Thai letters.
    ThaiScript,
    /// Names of accounts.
    Online,
    /// Engines.
    Engines,
    /// PlayOK accounts.
    PlayOk,
}

/// A player: name, rating and whether it is provisional.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) elo: u32,
    pub(crate) provisional: bool,
}

/// Two different players. A player's rating is a property of his name, give or take a month's change.
pub(crate) fn pair(circle: Circle, dice: &mut Dice) -> [Person; 2] {
    let size = size(circle);
    let first = dice.below(size);
    let second = (first + 1 + dice.below(size - 1)) % size;
    [person(circle, first, dice), person(circle, second, dice)]
}

fn size(circle: Circle) -> u64 {
    match circle {
        Circle::Thai | Circle::PlayOk => 28,
        Circle::Khmer => KHMER.len() as u64,
        Circle::ThaiScript => THAI_SCRIPT.len() as u64,
        Circle::Online => HANDLES.len() as u64,
        Circle::Engines => ENGINES.len() as u64,
    }
}

fn person(circle: Circle, number: u64, dice: &mut Dice) -> Person {
    let at = number as usize;
    let name = match circle {
        Circle::Thai => {
            let last = THAI_LAST[(at * 7 + 3) % THAI_LAST.len()];
            format!("{last}, {}", THAI_FIRST[(at * 3) % THAI_FIRST.len()])
        }
        Circle::Khmer => KHMER[at].to_owned(),
        Circle::ThaiScript => THAI_SCRIPT[at].to_owned(),
        Circle::Online => HANDLES[at].to_owned(),
        Circle::Engines => ENGINES[at].to_owned(),
        Circle::PlayOk => format!(
            "{}{}",
            HANDLES[at % HANDLES.len()].replace('_', ""),
            10 + at
        ),
    };
    let mut own = Dice::new(number * 31 + circle as u64);
    let base = match circle {
        Circle::Engines => 2100 + own.below(500),
        Circle::PlayOk => 1150 + own.below(500),
        _ => 1350 + own.below(900),
    };
    let provisional = circle == Circle::Online && own.chance(250);
    Person {
        name,
        elo: (base + dice.below(40)) as u32,
        provisional,
    }
}
