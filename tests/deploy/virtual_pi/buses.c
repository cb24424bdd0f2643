// SPDX-License-Identifier: GPL-2.0
/*
 * The two buses of a Pi's header, for a computer that has none: I²C bus 1 with a display at 0x3C, and SPI bus 0 with one
 * device. Everything that is written to them is kept as the kernel got it, one message after another, each with its
 * length (two bytes, low one first) before it:
 *
 *   /sys/kernel/debug/virtual-pi/i2c, spi    what was written, up to 8 MB
 *   /sys/kernel/debug/virtual-pi/plugged     N: nobody answers at 0x3C, as with a wire pulled
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/vmalloc.h>

#define DISPLAY 0x3c
#define BITS_A_SECOND 400000
#define ROOM (8 << 20)

struct record {
	struct mutex lock;
	struct debugfs_blob_wrapper blob;
};

static struct record on_i2c, on_spi;
static bool plugged = true;
static struct dentry *folder;
static struct platform_device *parent;
static struct spi_controller *spi;

static int record_open(struct record *record, const char *name)
{
	mutex_init(&record->lock);
	record->blob.data = vzalloc(ROOM);
	if (!record->blob.data)
		return -ENOMEM;
	debugfs_create_blob(name, 0444, folder, &record->blob);
	return 0;
}

static void record_add(struct record *record, const void *bytes, unsigned int count)
{
	u8 *end;

	mutex_lock(&record->lock);
	if (record->blob.size + count + 2 <= ROOM) {
		end = (u8 *)record->blob.data + record->blob.size;
		end[0] = count & 0xff;
		end[1] = count >> 8;
		memcpy(end + 2, bytes, count);
		record->blob.size += count + 2;
	}
	mutex_unlock(&record->lock);
}

static int i2c_transfer_all(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int n;

	for (n = 0; n < count; n++) {
		/* The error of a Pi's own driver where nobody answers. */
		if (messages[n].addr != DISPLAY || !plugged)
			return -EREMOTEIO;
		usleep_range(9000000ul / BITS_A_SECOND * (messages[n].len + 1), 9100000ul / BITS_A_SECOND * (messages[n].len + 2));
		if (messages[n].flags & I2C_M_RD)
			memset(messages[n].buf, 0, messages[n].len);
		else
			record_add(&on_i2c, messages[n].buf, messages[n].len);
	}
	return count;
}

static u32 i2c_can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm how = {
	.master_xfer = i2c_transfer_all,
	.functionality = i2c_can,
};

static struct i2c_adapter bus_1 = {
	.owner = THIS_MODULE,
	.name = "virtual pi",
	.algo = &how,
	.nr = 1,
};

static int spi_transfer_one(struct spi_controller *bus, struct spi_device *device, struct spi_transfer *transfer)
{
	if (transfer->tx_buf)
		record_add(&on_spi, transfer->tx_buf, transfer->len);
	return 0;
}

static int __init begin(void)
{
	/* A name that the kernel's spidev takes without a device tree. */
	struct spi_board_info what = { .modalias = "dh2228fv", .max_speed_hz = 50000000 };
	int failed;

	folder = debugfs_create_dir("virtual-pi", NULL);
	debugfs_create_bool("plugged", 0644, folder, &plugged);
	if (record_open(&on_i2c, "i2c") || record_open(&on_spi, "spi"))
		return -ENOMEM;
	failed = i2c_add_numbered_adapter(&bus_1);
	if (failed)
		return failed;
	parent = platform_device_register_simple("virtual-pi", -1, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	spi = spi_alloc_master(&parent->dev, 0);
	if (!spi)
		return -ENOMEM;
	spi->bus_num = 0;
	spi->num_chipselect = 1;
	spi->mode_bits = SPI_CPOL | SPI_CPHA;
	spi->transfer_one = spi_transfer_one;
	failed = spi_register_controller(spi);
	if (failed)
		return failed;
	return spi_new_device(spi, &what) ? 0 : -ENODEV;
}

module_init(begin);
MODULE_DESCRIPTION("I2C bus 1 with a display, and SPI bus 0, that keep what is written");
MODULE_LICENSE("GPL");
